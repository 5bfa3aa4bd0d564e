"""Connections to schedulers, with and without TLS."""

import re
import shutil
import socket
import subprocess
import threading
from contextlib import suppress

import pytest

from linkpress.cli.app import run
from linkpress.errors import UsageError
from linkpress.production import cluster as dask_cluster
from linkpress.production.cluster import connect, read_scheduler
from local_cluster import local_cluster

dask = pytest.importorskip("dask", reason="the extra linkpress[cluster] is not installed")
pytest.importorskip("distributed", reason="the extra linkpress[cluster] is not installed")


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
    error = capfd.readouterr().err
    assert "that is no address of a Dask scheduler" in error
    assert "secret" not in error


def refusal(address, connect_s=600.0):
    """Return the reason why the connection to a scheduler fails."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dask_cluster, "CONNECT_S", connect_s)
        with pytest.raises(UsageError) as refused:
            connect(address)
    message = str(refused.value)
    assert message.startswith(f"no Dask scheduler can be reached at {address}: ")
    assert "Start one with 'dask scheduler', or give the address that it prints when it starts" in message
    return message.removeprefix(f"no Dask scheduler can be reached at {address}: ")


@pytest.mark.parametrize("host", ["127.0.0.1", "nowhere.invalid"])
def test_the_message_of_a_refused_connection_says_to_start_a_scheduler(host):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        message = refusal(f"tcp://{host}:{nobody.getsockname()[1]}", 0.2)
    assert re.match(r"Timed out|ConnectionRefused|\[Errno |nobody answers", message)


def as_ssh(line):
    line.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
    line.recv(64)


def hold(line):
    line.recv(64)
    threading.Event().wait()


@pytest.mark.parametrize(
    ("talk", "cause", "connect_s"),
    [
        (as_ssh, "another program answers there", 600.0),
        (socket.socket.close, "", 0.2),
        (hold, "nobody answers in 0 s", 0.2),
    ],
)
def test_another_program_that_listens_there_is_given_up_in_time(talk, cause, connect_s):
    def answer():
        with suppress(OSError), server.accept()[0] as line:
            talk(line)

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=answer, daemon=True).start()
        assert refusal(f"tcp://127.0.0.1:{server.getsockname()[1]}", connect_s).startswith(cause)


def certificate(folder, name):
    """Create a self-signed certificate, and return the files of it and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    files = folder / f"{name}.pem", folder / f"{name}.key"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-days", "2"]
    subprocess.run([*words, "-out", files[0], "-keyout", files[1]], check=True, capture_output=True)
    return tuple(map(str, files))


def trusting(authority, cert, key):
    """Configure Dask to use these files during a block."""
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
    """Start a scheduler and a worker that use TLS."""
    settings = {"DASK_DISTRIBUTED__COMM__DEFAULT_SCHEME": "tls"}
    tls = "DASK_DISTRIBUTED__COMM__TLS__"
    settings[f"{tls}CA_FILE"] = own[0]
    for role in ("SCHEDULER", "WORKER"):
        settings[f"{tls}{role}__CERT"], settings[f"{tls}{role}__KEY"] = own
    with trusting(own[0], *own), local_cluster(tmp_path_factory.mktemp("dask"), "one", **settings) as cluster:
        yield cluster.address


def test_tls_takes_the_certificates_of_dask_s_configuration(secure, own, capfd):
    words = ["generate", "--size", "5", "--seed", "1"]
    assert run(words) == 0
    alone = capfd.readouterr().out
    with trusting(own[0], *own):
        assert run([*words, "--cluster", secure]) == 0
    assert secure.startswith("tls://")
    assert capfd.readouterr().out == alone


def test_without_tls_a_scheduler_that_speaks_it_is_not_reached(secure):
    assert "with its tcp:// or tls://" in refusal(secure.replace("tls:", "tcp:"))


def test_unusable_certificates_are_reported(secure, own, other, tmp_path):
    for files, cause in (
        ((None, None, None), "TLS expects a `ssl_context` argument"),
        ((str(tmp_path / "missing.pem"), *own), "[Errno 2] No such file or directory"),
        ((other[0], *own), "TLS certificate does not match"),
        ((own[0], *other), ("SSL", "Connection")),
    ):
        with trusting(*files):
            message = refusal(secure)
        assert message.startswith(cause)
        assert "For tls:// Dask's configuration must name certificates on every machine" in message
