"""The record of a device, which the device signs."""

import ssl
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .certificates import public_key
from .encoding import encode
from .words import Dot, Stamp
from .writes import DEVICE, FULL, Draft, Write, fields_from, values_of

PROOF = 6


def chain(me):
    """The certificates of a device's owner and of the device, in DER."""
    parts = (me.folder / "device.pem").read_text().split("-----END CERTIFICATE-----")
    device, owner = parts[:2]
    return [ssl.PEM_cert_to_DER_cert(pem.strip() + "\n-----END CERTIFICATE-----\n") for pem in (owner, device)]


def signed_bytes(device, stamp, certificates, values):
    return encode(["baton-device/1", device, stamp.time, stamp.life, *certificates, values])


@dataclass(frozen=True)
class SignedDevice:
    """What a device says of itself, or of another one, with its own key."""

    me: object
    values: dict
    about: bytes | None = None
    kind: int = DEVICE

    def write(self, dot: Dot, stamp: Stamp) -> Write:
        device = self.about or self.me.device
        certificates = chain(self.me)
        signature = subprocess.run(
            ["openssl", "dgst", "-sha256", "-sign", self.me.folder / "device-key.pem"],
            input=signed_bytes(device, stamp, certificates, self.values), stdout=subprocess.PIPE, check=True,
        ).stdout
        values = {**self.values, PROOF: [*certificates, signature]}
        return Draft(DEVICE, [device], FULL, scope=(), values=values).write(dot, stamp)


def is_signed(record, me):
    """Whether the key of that device signed the record."""
    values = values_of(record.fields())
    owner, device, signature = values.pop(PROOF)
    with tempfile.TemporaryDirectory() as folder:
        key, file = Path(folder) / "key.der", Path(folder) / "signature"
        key.write_bytes(public_key(device))
        file.write_bytes(signature)
        command = ["openssl", "dgst", "-sha256", "-verify", key, "-keyform", "DER", "-signature", file]
        data = signed_bytes(me.device, record.incarnation, [owner, device], values)
        return subprocess.run(command, input=data, stdout=subprocess.DEVNULL).returncode == 0
