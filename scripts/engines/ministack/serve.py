"""Runs MiniStack under hypercorn: serve.py CONFIG.

The server leads a process group of its own, so that one signal ends it together
with the functions that it started.
"""

import os
import socketserver
import sys

# MiniStack answers its functions' runtime API with a header and a body written one
# after the other. With Nagle's algorithm on, the second write waits for the first
# one's acknowledgement, which the receiver delays by 40 ms: once a call. The standard
# library turns the algorithm off by this attribute, before a server is made.
socketserver.StreamRequestHandler.disable_nagle_algorithm = True

if __name__ == "__main__":
    os.setsid()
    from hypercorn.__main__ import main

    sys.exit(main(["--config", sys.argv[1], "serve:app"]))

from ministack.app import app  # noqa: E402

__all__ = ["app"]
