"""TLS 1.3 with a certificate on both sides, and frames over it.

Python's `ssl` can't choose the signature algorithms, and has no exporter, which a pairing would need.
"""

import hashlib
import hmac
import os
import socket
import ssl
import time
from dataclasses import dataclass
from pathlib import Path

from .certificates import device_of, public_key
from .frames import HEAD_SIZE, read_head
from .words import identifier, spelled, unspelled

PROTOCOL = "baton/1"
DAY = 86_400
HOUR = 3600
TOLERATED = (3 * HOUR, 7 * DAY)
"""By how many seconds clocks may differ for a hint of each kind."""
ANY_DEVICE = bytes(16)


class Ended(Exception):
    """The connection ended, with or without an alert."""


@dataclass
class Me:
    """The files of a device, as Certs/README.md has them."""

    folder: Path
    account: bytes
    device: bytes
    root_key: bytes
    """The root's public key, which only members of the account know."""

    @classmethod
    def read(cls, folder):
        root_key = public_key(ssl.PEM_cert_to_DER_cert((folder / "root.pem").read_text()))
        first = (folder / "device.pem").read_text().split("-----END CERTIFICATE-----")[0]
        device = ssl.PEM_cert_to_DER_cert(first + "-----END CERTIFICATE-----\n")
        return cls(folder, identifier(root_key), identifier(public_key(device)), root_key)

    def hint_code(self, purpose, message):
        prk = hmac.digest(b"baton/1", self.root_key, "sha256")
        key = hmac.digest(prk, b"hint\x01", "sha256")
        return hmac.digest(key, purpose + b"\0" + message, "sha256")

    def hint(self, later=0, device=ANY_DEVICE, kind=1):
        """A server name by which a client says which account and device it means, some seconds from now."""
        nonce = os.urandom(8)
        time_field = (int(time.time()) + later) * 2 + kind
        mask = int.from_bytes(self.hint_code(b"time", nonce)[:8], "big")
        head = nonce + (time_field ^ mask).to_bytes(8, "big")
        return spelled(head + self.hint_code(b"device", head + device)[:16])

    def takes(self, hint):
        """Whether a hint is for this device, and of about now; which were used before is not remembered."""
        if not hint or len(hint) != 52:
            return False
        parts = unspelled(hint)
        head, code = parts[:16], parts[16:]
        if code not in (self.hint_code(b"device", head + device)[:16] for device in (self.device, ANY_DEVICE)):
            return False
        field = int.from_bytes(head[8:], "big") ^ int.from_bytes(self.hint_code(b"time", head[:8])[:8], "big")
        return abs(time.time() - field // 2) <= TOLERATED[field % 2]


def context(me, is_server=False, protocols=(PROTOCOL,)):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER if is_server else ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    context.load_verify_locations(me.folder / "root.pem")
    context.load_cert_chain(me.folder / "device.pem", me.folder / "device-key.pem")
    if is_server:
        context.num_tickets = 0
        context.sni_callback = lambda _, hint, __: None if me.takes(hint) else ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME
    if protocols:
        context.set_alpn_protocols(list(protocols))
    return context


def dial(me, port, deadline, protocols=(PROTOCOL,), tls=None, hint=None, session=None):
    """Calls a node; with the right hint unless another is given, and resuming a session if there is one."""
    plain = socket.create_connection(("127.0.0.1", port), timeout=left(deadline))
    tls = tls or context(me, protocols=protocols)
    hint = me.hint() if hint is None else hint
    return shake_hands(plain, tls, me, deadline, server_hostname=hint or None, session=session)


def listen():
    return socket.create_server(("127.0.0.1", 0))


def accept(listener, me, deadline, tls=None):
    listener.settimeout(left(deadline))
    plain, _ = listener.accept()
    return shake_hands(plain, tls or context(me, is_server=True), me, deadline, server_side=True)


def shake_hands(plain, tls, me, deadline, **options):
    plain.settimeout(left(deadline))
    try:
        secured = tls.wrap_socket(plain, **options)
    except BaseException:
        plain.close()
        raise
    connection = Connection(secured)
    try:
        if secured.selected_alpn_protocol() != PROTOCOL:
            raise Ended("another protocol was selected than `baton/1`")
        names = secured.getpeercert()["subjectAltName"]
        connection.peer_device = device_of(names, secured.getpeercert(True), me.account)
    except BaseException:
        connection.close()
        raise
    return connection


def left(deadline):
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError("the deadline has passed")
    return seconds


class Connection:
    """Frames over a socket."""

    def __init__(self, socket):
        self.socket = socket
        self.peer_device = None

    def send(self, data, deadline=None):
        self.socket.settimeout(10 if deadline is None else left(deadline))
        self.socket.sendall(data)

    def receive(self, deadline):
        """The kind and the body of the next frame."""
        length, kind = read_head(self.take(HEAD_SIZE, deadline))
        return kind, self.take(length, deadline)

    def take(self, count, deadline):
        taken = bytearray()
        while len(taken) < count:
            self.socket.settimeout(left(deadline))
            part = self.socket.recv(count - len(taken))
            if not part:
                raise Ended("the connection ended")
            taken += part
        return bytes(taken)

    def close(self):
        self.socket.close()
