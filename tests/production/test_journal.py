import errno
import zlib

import pytest

from linkpress.errors import OutputError
from linkpress.production.journal import Journal

RECORDS = {1: {"board": ["1 . 1"], "score": None}, 2: {"grade": "é"}, 3: {"n": 0.5}}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book" / "build.journal"


def written(path, records=RECORDS):
    with Journal(path, "plan", "1.0") as journal:
        journal.append(records.items())
    return path.read_bytes()


def finished(path, plan="plan", release="1.0"):
    with Journal(path, plan, release) as journal:
        return journal.saved


def test_what_was_appended_is_finished_on_reopening_and_the_later_record_of_a_slot_counts(path):
    written(path)
    with Journal(path, "plan", "1.0") as journal:
        assert journal.saved == RECORDS
        journal.append([(4, {})])
        journal.append([(1, {"attempt": 1})])
    assert finished(path) == RECORDS | {4: {}, 1: {"attempt": 1}}


def test_cut_off_at_any_byte_it_keeps_every_whole_line_and_goes_on(path):
    whole = written(path)
    ends = [n + 1 for n, byte in enumerate(whole) if byte == ord("\n")]
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        count = max(0, sum(end <= length for end in ends) - 1)
        with Journal(path, "plan", "1.0") as journal:
            assert list(journal.saved) == list(RECORDS)[:count]
            for slot in list(RECORDS)[count:]:
                journal.append([(slot, RECORDS[slot])])
        assert path.read_bytes() == whole


def test_a_changed_byte_ends_what_counts(path):
    whole = written(path)
    second = whole.index(b"\n", whole.index(b"\n") + 1) + 1
    for place in range(second, len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        kept = finished(path)
        assert kept == {slot: RECORDS[slot] for slot in kept}
        assert 1 in kept
        assert len(kept) < 3


@pytest.mark.parametrize(("plan", "release"), [("other", "1.0"), ("plan", "1.1")])
def test_a_journal_of_another_plan_or_release_is_begun_afresh(path, plan, release):
    written(path)
    with Journal(path, plan, release) as journal:
        assert journal.saved == {}
        journal.append([(9, {})])
    assert finished(path, plan, release) == {9: {}}


def test_any_other_content_is_begun_afresh(path):
    path.parent.mkdir()
    path.write_bytes(b"\xff\x00 nonsense\n" * 9)
    assert finished(path) == {}
    assert finished(path) == {}


def test_removing_deletes_the_file(path):
    with Journal(path, "plan", "1.0") as journal:
        journal.remove()
    assert not path.exists()


def test_a_place_that_cannot_be_written_is_an_output_error(tmp_path):
    (tmp_path / "taken").touch()
    with pytest.raises(OutputError, match="journal"):
        Journal(tmp_path / "taken" / "build.journal", "plan", "1.0")


def full(_):
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_an_output_error_and_keeps_what_is_whole(path, monkeypatch):
    monkeypatch.setattr("linkpress.production.journal.SYNC_EVERY_S", 0)
    with Journal(path, "plan", "1.0") as journal:
        journal.append([(1, {})])
        with monkeypatch.context() as patch:
            patch.setattr("os.fsync", full)
            with pytest.raises(OutputError, match="No space left"):
                journal.append([(2, {})])
    assert 1 in finished(path)


def test_the_disk_is_waited_for_once_for_puzzles_that_come_at_once(path, monkeypatch):
    waited = []
    monkeypatch.setattr("linkpress.production.journal.SYNC_EVERY_S", 3600)
    with Journal(path, "plan", "1.0") as journal:
        monkeypatch.setattr("os.fsync", waited.append)
        for slot in range(5):
            journal.append([(slot, {})])
        assert waited == []
        monkeypatch.setattr("linkpress.production.journal.SYNC_EVERY_S", 0)
        journal.append([])
        journal.append([])
        assert len(waited) == 1
    assert set(finished(path)) == set(range(5))


def test_a_disk_that_is_full_from_the_start_is_left_without_a_journal(path, monkeypatch):
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OutputError, match="No space left"):
        Journal(path, "plan", "1.0")
    assert not path.exists()


@pytest.mark.parametrize(
    "text", [b"", b"[7]", b'["7", {}]', b"[7, []]", b"{}", b"\xb2", b"[7, {]", b"[" * 5000, b"9" * 5000]
)
def test_a_line_that_is_no_slots_record_ends_the_reading_whatever_its_check_sum(path, text):
    whole = written(path)
    path.write_bytes(whole + b"%08x %s\n" % (zlib.crc32(text), text))
    assert finished(path) == RECORDS
    assert path.read_bytes() == whole
