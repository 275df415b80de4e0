#!/usr/bin/env python3
# Stands for the package's command: has the thread of command_service.mjs at the socket HEED_SERVICE run it. 200: there is no answer.
import json
import os
import socket
import sys

try:
    with socket.socket(socket.AF_UNIX) as service:
        service.connect(os.environ["HEED_SERVICE"])
        service.sendall(json.dumps(sys.argv[1:]).encode() + b"\n")
        status, out, err = json.load(service.makefile())
except (OSError, ValueError) as error:
    print(error, file=sys.stderr)
    sys.exit(200)
sys.stdout.write(out)
sys.stderr.write(err)
sys.exit(status)
