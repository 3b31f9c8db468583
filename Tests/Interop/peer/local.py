"""An app's side of the local protocol."""

import socket

from . import frames
from .encoding import decode, encode
from .transport import Connection, left

VERSION = 1


class App:
    def __init__(self, path, deadline, version=VERSION):
        plain = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        plain.settimeout(left(deadline))
        plain.connect(str(path))
        self.connection = Connection(plain)
        self.send(frames.LOCAL_HELLO, {1: version, 2: "interop"})

    def send(self, kind, value):
        self.connection.send(frames.frame(kind, encode(value)))

    def receive(self, deadline):
        kind, body = self.connection.receive(deadline)
        return kind, decode(body)

    def request(self, number, request, argument):
        self.send(frames.LOCAL_REQUEST, [number, request, argument])

    def close(self):
        self.connection.close()
