// Package archtest holds the arrows of the design in a test: which package may
// import which, and which calls are reserved to which package. It has no code of
// its own and is imported by nothing.
//
// The table is in table_test.go. A package that is not in it fails the test with
// the place to write it down, so a new package cannot slip by; so does an outside
// module that nobody has said who may use. Each rule is also run on packages that
// are made up to break it, so that a rule which stops biting fails too.
package archtest
