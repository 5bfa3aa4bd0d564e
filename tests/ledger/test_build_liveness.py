import os
import subprocess
import sys
from dataclasses import replace

import pytest

from linkpress.ledger.ledger_build import LEASE_S, Liveness, own_liveness


def test_the_running_process_lives_and_a_reused_number_does_not():
    liveness = own_liveness()
    assert liveness.lives(age_s=0)
    if liveness.started:
        assert liveness.lives(age_s=10 * LEASE_S)
        assert not replace(liveness, started="another boot/1").lives(age_s=0)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems don't tell when a process started")
def test_a_process_that_has_ended_is_dead_before_anybody_asks_for_its_exit_code():
    code = (
        "from linkpress.ledger import ledger_build as l; print(l.own_liveness().started, flush=True); input()"
    )
    ends = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, "-c", code], text=True, **ends) as child:
        liveness = replace(own_liveness(), pid=child.pid, started=child.stdout.readline().strip())
        assert liveness.lives(age_s=0)
        child.stdin.close()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert not liveness.lives(age_s=0)


def test_a_process_on_another_machine_lives_as_long_as_its_lease():
    liveness = Liveness("token", "elsewhere", 1, "boot/1")
    assert liveness.lives(age_s=LEASE_S - 1)
    assert not liveness.lives(age_s=LEASE_S + 1)
    assert not liveness.lives(age_s=-LEASE_S - 1)
