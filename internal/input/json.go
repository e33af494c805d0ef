package input

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// JSONError says in the words of the file what encoding/json found, not in those of Go.
func JSONError(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), err.Error() == "unexpected end of JSON input":
		return errors.New("the file ends too early; is it truncated?")
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("expected an object, found %s", kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("field %q has the wrong type: %s", kind.Field, kind.Value)
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}
