// Package reports turns result rows into text, Markdown, CSV and JSON, and puts
// the published figures beside them. It computes no cycles and runs no code.
package reports
