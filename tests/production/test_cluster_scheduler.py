"""Addresses of schedulers, with TLS and without, and whoever else listens there."""

import shutil
import socket
import ssl
import struct
import subprocess
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from linkpress.cli.main import run
from linkpress.errors import UsageError
from linkpress.production.cluster_scheduler import connect, read_scheduler
from local_cluster import local_cluster

dask = pytest.importorskip("dask", reason="the extra linkpress[cluster] is not installed")
pytest.importorskip("distributed", reason="the extra linkpress[cluster] is not installed")

POSTGRES = struct.pack(">ii", 8, 80877103)


@pytest.mark.parametrize("text", ["tcp://desk:8786", "tls://10.0.0.7:1", "tcp://[::1]:65535"])
def test_addresses_of_schedulers(text):
    assert read_scheduler(text) == text


@pytest.mark.parametrize(
    "text",
    ["", "desk", "desk:8786", "tcp://desk", "tcp://:8786", "http://desk:8787", "tcp://desk:8786/status"]
    + [f"tcp://desk:{port}" for port in (0, 65536, "dask")]
    + ["tcp://[::1:1"],
)
def test_other_addresses_are_refused_on_the_command_line(text, capfd):
    assert run(["generate", "--seed", "1", "--cluster", text]) == 2
    assert f"{text!r} is no address of a Dask scheduler. Give tcp://HOST:PORT" in capfd.readouterr().err


def test_an_address_that_may_hold_a_password_is_not_repeated(capfd):
    assert run(["generate", "--seed", "1", "--cluster", "tcp://me:secret@desk:1"]) == 2
    said = capfd.readouterr().err
    assert "that is no address of a Dask scheduler" in said
    assert "secret" not in said


def refusal(address, connect_s=30.0):
    """Why nobody can be asked there, and what to do; a short time where nobody is to answer."""
    with pytest.raises(UsageError) as refused:
        connect(address, connect_s)
    said = str(refused.value)
    assert said.startswith(f"no Dask scheduler can be reached at {address}: ")
    return said.removeprefix(f"no Dask scheduler can be reached at {address}: ")


@pytest.mark.parametrize("host", ["127.0.0.1", "nowhere.invalid"])
def test_where_nobody_listens_a_scheduler_is_to_be_started(host):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen
        said = refusal(f"tcp://{host}:{nobody.getsockname()[1]}", 0.2)
    assert said.endswith(". Start one with 'dask scheduler', or name the address that it says.")


@contextmanager
def listening(talk):
    """A server that talks to each connection in a thread; yields its port."""

    def serve():
        with suppress(OSError):  # the test is over
            while True:
                threading.Thread(target=answer, args=server.accept()[:1], daemon=True).start()

    def answer(line):
        with suppress(OSError), line:  # it speaks something else, or is closed
            talk(line)

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


def as_ssh(line):
    line.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
    line.recv(64)


def as_postgres(line):
    if line.recv(64).startswith(POSTGRES):
        line.sendall(b"N")


def hold(line):
    line.recv(64)
    threading.Event().wait(30)  # and says nothing


@pytest.fixture
def probe(monkeypatch):
    """Sets how long each question may wait for its answer: long where there is one, on a busy machine too."""
    return lambda wait_s: monkeypatch.setattr("linkpress.production.cluster_scheduler._PROBE_S", wait_s)


@pytest.mark.parametrize(
    ("talk", "probe_s", "why"),
    [
        (as_ssh, 30.0, "another program answers there, with 'SSH-2.0-OpenSSH_9.2'"),
        (as_postgres, 3.0, "a PostgreSQL server answers there"),
        (socket.socket.close, 30.0, "whoever listens there is no scheduler, or one that hangs"),
        (hold, 0.2, "whoever listens there is no scheduler, or one that hangs"),
    ],
)
def test_other_programs_are_named(talk, probe_s, why, probe):
    probe(probe_s)
    with listening(talk) as port:
        said = refusal(f"tcp://127.0.0.1:{port}", 0.2)
    assert (
        said == f"{why}. Name the address that the scheduler says when it starts; its port is usually 8786."
    )


def test_a_web_server_is_named(capfd, probe):
    probe(3.0)
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as pages:
        threading.Thread(target=pages.serve_forever, daemon=True).start()
        said = refusal(f"tcp://127.0.0.1:{pages.server_port}", 0.2)
        assert said.startswith("a web server answers there. Name")
        pages.shutdown()


def certificate(folder, name):
    """A certificate that signs itself, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    files = folder / f"{name}.pem", folder / f"{name}.key"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-days", "2"]
    subprocess.run([*words, "-out", files[0], "-keyout", files[1]], check=True, capture_output=True)
    return tuple(map(str, files))


def trusting(authority, cert, key):
    """Dask's configuration with these files, for a block."""
    client = {f"distributed.comm.tls.client.{name}": file for name, file in (("cert", cert), ("key", key))}
    return dask.config.set({"distributed.comm.tls.ca-file": authority, **client})


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    return certificate(tmp_path_factory.mktemp("own"), "own")


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    return certificate(tmp_path_factory.mktemp("other"), "other")


@pytest.fixture(scope="module")
def secure(tmp_path_factory, own):
    """A scheduler and a worker that speak TLS."""
    settings = {"DASK_DISTRIBUTED__COMM__DEFAULT_SCHEME": "tls"}
    tls = "DASK_DISTRIBUTED__COMM__TLS__"
    settings[f"{tls}CA_FILE"] = own[0]
    for role in ("SCHEDULER", "WORKER"):
        settings[f"{tls}{role}__CERT"], settings[f"{tls}{role}__KEY"] = own
    with (
        trusting(own[0], *own),
        local_cluster(tmp_path_factory.mktemp("dask"), "one", **settings) as cluster,
    ):
        yield cluster.address


def test_tls_takes_the_certificates_of_dask_s_configuration(secure, own, capfd):
    words = ["generate", "--size", "5", "--seed", "1"]
    assert run(words) == 0
    alone = capfd.readouterr().out
    with trusting(own[0], *own):
        assert run([*words, "--cluster", secure]) == 0
    assert secure.startswith("tls://")
    assert capfd.readouterr().out == alone


def test_tls_and_none_are_not_mixed_up(secure, own, probe):
    probe(3.0)
    said = refusal(secure.replace("tls:", "tcp:"), 0.2)
    assert said.startswith("it speaks TLS. Give tls:// instead of tcp://. tls:// takes the certificates that")

    def as_dask(line):
        line.sendall(struct.pack("<QQ", 58, 1) + bytes(50))
        line.recv(64)

    with listening(as_dask) as port, trusting(own[0], *own):
        said = refusal(f"tls://127.0.0.1:{port}")
    assert said == "it speaks without TLS. Give tcp:// instead of tls://."


def test_certificates_that_do_not_serve_are_told(secure, own, other, tmp_path):
    wrong = str(tmp_path / "missing.pem")
    for files, why in (
        ((None, None, None), "Dask's configuration names no certificates"),
        ((wrong, *own), f"{wrong}, {own[0]}, {own[1]} can't be used: [Errno 2] No such file or directory"),
        ((other[0], *own), "its certificate is not of our authority: self-signed certificate"),
        ((own[0], *other), "our certificate is refused there: tlsv1 alert unknown ca"),
    ):
        with trusting(*files):
            said = refusal(secure)
        assert said.startswith(
            f"{why}. tls:// takes the certificates that Dask's configuration names, on every"
        )


def test_what_answers_over_tls_and_is_no_dask_is_told(own):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*own)

    def as_mail(line):
        with context.wrap_socket(line, server_side=True) as secured:
            secured.sendall(b"* OK IMAP4\r\n")
            secured.recv(64)

    with listening(as_mail) as port, trusting(own[0], *own):
        assert refusal(f"tls://127.0.0.1:{port}").startswith(
            "another program answers there, with '* OK IMAP4'"
        )
