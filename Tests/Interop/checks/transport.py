"""Whom a node lets in, and by which handshake."""

import re
import shutil
import ssl
import subprocess
from datetime import datetime, timedelta, timezone

from peer.transport import Ended, Me, context, dial

from .report import check, expect
from .world import PATIENCE, ROOT, soon


ACCEPTED = "accepted"


SILENT = "closed without a word"


def answer(world, me, tls=None, hint=None):
    """The alert with which the node ends a handshake, which may come after its end here; or that it says hello."""
    try:
        connection = dial(me, world.port, soon(), tls=tls, hint=hint)
        try:
            connection.receive(soon())
        finally:
            connection.close()
    except (ssl.SSLEOFError, ConnectionResetError):
        return SILENT
    except ssl.SSLError as error:
        alert = re.search(r"alert (.*) \(", str(error))
        return alert[1] if alert else str(error)
    except Ended as error:
        return str(error)
    return ACCEPTED


def expect_answer(found, expected):
    expect(found == expected, "the node's answer is:", found)


# The configuration of `openssl ca`, the one command that can sign a certificate that has ended.
AUTHORITY = """\
[ca]
default_ca = authority
[authority]
database = {folder}/index.txt
new_certs_dir = {folder}
rand_serial = yes
default_md = sha256
policy = any
copy_extensions = copyall
unique_subject = no
[any]
commonName = supplied
"""


def signed_again(world, days):
    """The device's certificate with another end, as many days from now, and a beginning two days before that or now."""
    me = world.larger
    folder = world.folder / f"signed-for-{days}"
    shutil.copytree(me.folder, folder)
    pem = (me.folder / "device.pem").read_text()
    mark = "-----END CERTIFICATE-----\n"
    device, owner = (part + mark for part in pem.split(mark)[:2])
    (folder / "old.pem").write_text(device)
    (folder / "owner.pem").write_text(owner)
    request = openssl("x509", "-in", folder / "old.pem", "-x509toreq", "-copy_extensions", "copyall",
                      "-signkey", me.folder / "device-key.pem")
    (folder / "request.pem").write_text(request)
    (folder / "index.txt").touch()
    (folder / "authority.conf").write_text(AUTHORITY.format(folder=folder))
    end = datetime.now(timezone.utc) + timedelta(days=days)
    begin = end - timedelta(days=2)
    made = openssl("ca", "-batch", "-notext", "-preserveDN", "-config", folder / "authority.conf",
                   "-startdate", begin.strftime("%Y%m%d%H%M%SZ"), "-enddate", end.strftime("%Y%m%d%H%M%SZ"),
                   "-cert", folder / "owner.pem", "-keyfile", world.node_me.folder / "owner-key.pem",
                   "-in", folder / "request.pem")
    (folder / "device.pem").write_text(made + owner)
    return Me.read(folder)


def openssl(*arguments, given=None):
    done = subprocess.run(["openssl", *arguments], input=given, capture_output=True, text=True, check=True,
                          timeout=PATIENCE)
    return done.stdout[done.stdout.index("-----BEGIN") :]


@check("a member's expired certificate is no worse than the newer one of it that the roster has")
def expired(world):
    expect_answer(answer(world, signed_again(world, days=1)), ACCEPTED)
    expect_answer(answer(world, signed_again(world, days=-1)), ACCEPTED)


@check("a device of another account is refused, and so is one that shows no certificate")
def foreign(world):
    folder = world.folder / "foreign"
    subprocess.run([ROOT / "Certs/make-test-account", folder, "stranger"], check=True, timeout=PATIENCE)
    stranger = context(Me.read(folder / "stranger"))
    stranger.load_verify_locations(world.larger.folder / "root.pem")
    expect_answer(answer(world, world.larger, stranger), "unknown ca")
    nobody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    nobody.check_hostname = False
    nobody.load_verify_locations(world.larger.folder / "root.pem")
    nobody.set_alpn_protocols(["baton/1"])
    expect_answer(answer(world, world.larger, nobody), "certificate required")


@check("an owner is no device: a chain without one is refused")
def owner_as_device(world):
    folder = world.folder / "owner-as-device"
    shutil.copytree(world.larger.folder, folder)
    mark = "-----END CERTIFICATE-----\n"
    (folder / "device.pem").write_text((world.larger.folder / "device.pem").read_text().split(mark)[1] + mark)
    shutil.copy(world.node_me.folder / "owner-key.pem", folder / "device-key.pem")
    me = Me(folder, world.larger.account, world.larger.device, world.larger.root_key)
    expect(answer(world, me) != ACCEPTED, "the node let an owner in as a device")


@check("no protocol, another protocol, a pairing without an invitation: refused by ALPN")
def protocols(world):
    for offered in [(), ("baton/2",), ("baton-pair/1",)]:
        tls = context(world.larger, protocols=offered)
        expect_answer(answer(world, world.larger, tls), "no application protocol")
        expect_answer(answer(world, world.larger, tls, hint=""), SILENT)
    tls = context(world.larger, protocols=("baton/2", "baton/1"))
    expect_answer(answer(world, world.larger, tls), ACCEPTED)


@check("who gives no hint, or that of another account, an old one or a used one, is told nothing")
def hints(world):
    week, hours, minute = 7 * 86_400, 3 * 3600, 60
    node = world.node_me.device
    for later in (minute - week, week - minute):
        expect_answer(answer(world, world.larger, hint=world.larger.hint(later)), ACCEPTED)
    for later in (minute - hours, hours - minute):
        expect_answer(answer(world, world.larger, hint=world.larger.hint(later, node, kind=0)), ACCEPTED)
    used = world.larger.hint(0, node, kind=0)
    expect_answer(answer(world, world.larger, hint=used), ACCEPTED)
    for hint in ("", "example.org", used, world.larger.hint(-week - minute), world.larger.hint(week + minute),
                 world.larger.hint(-hours - minute, node, kind=0), world.larger.hint(0, world.larger.device)):
        expect_answer(answer(world, world.larger, hint=hint), SILENT)
    folder = world.folder / "of-another-account"
    subprocess.run([ROOT / "Certs/make-test-account", folder, "stranger"], check=True, timeout=PATIENCE)
    expect_answer(answer(world, world.larger, hint=Me.read(folder / "stranger").hint()), SILENT)


@check("TLS 1.2 is refused, and a session is resumed by its ticket")
def old(world):
    tls = context(world.larger)
    tls.minimum_version = ssl.TLSVersion.TLSv1_2
    tls.maximum_version = ssl.TLSVersion.TLSv1_2
    expect_answer(answer(world, world.larger, tls), "protocol version")
    tls = context(world.larger)
    kept = None
    for is_resumed in (False, True):
        connection = dial(world.larger, world.port, soon(), tls=tls, session=kept)
        try:
            connection.receive(soon())
            expect(connection.socket.version() == "TLSv1.3", "it is", connection.socket.version())
            expect(connection.socket.session_reused == is_resumed, "resumed:", connection.socket.session_reused)
            kept = connection.socket.session
            expect(kept.has_ticket, "the node gave no ticket")
        finally:
            connection.close()
