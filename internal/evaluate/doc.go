// Package evaluate measures recall against expected answers (R0.56).
package evaluate
