// Package ownjson reads JSON that this service wrote itself, where a retrieve reads so
// much of it that reflection is what takes the time.
//
// It imports the standard library only. Invariants: what it reads is what encoding/json
// would have read; of anything that this service does not write (space between tokens,
// null, numbers with a fraction where a whole one is asked for, broken UTF-8) it says
// that it cannot, and its caller asks encoding/json.
package ownjson
