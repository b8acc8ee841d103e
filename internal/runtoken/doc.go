// Package runtoken starts and ends the runs of agents and checks the tokens that
// they carry (A3.1): a token names a run, and with it workspace, agent, end user and
// experiment, so that no call says any of them itself.
//
// Of a token only the SHA-256 of its secret is stored, compared in constant time.
// A run's token is valid for Lifetime. After the run's end it still reads (R3.2);
// after its time nothing tells it from one that never was.
//
// A run that is an experiment, or the child of one, belongs to an experiment: the
// id of its first run. Its memory is thrown away when that run ends, or when its
// time is over without an end (R3.22).
package runtoken
