from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pixelplan.system.drafts import Draft, write_whole


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_that_cannot_be_written_whole_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, "old")
    with pytest.raises(TypeError):
        write_whole(path, 3)  # type: ignore[arg-type]
    assert path.read_text() == "old"
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("is_folder", [False, True])
def test_a_place_is_reserved_while_its_draft_is_made(tmp_path: Path, is_folder: bool) -> None:
    draft = Draft(tmp_path / "one", is_folder=is_folder)
    with pytest.raises(FileExistsError, match="another program is writing it now"):
        Draft(tmp_path / "one", is_folder=is_folder)
    other = Draft(tmp_path / "other", is_folder=is_folder)
    assert draft.finish() == tmp_path / "one"
    other.discard()
    draft.discard()
    assert names(tmp_path) == ["one"]
    assert (tmp_path / "one").is_dir() == is_folder


@pytest.mark.parametrize("is_folder", [False, True])
def test_a_place_that_was_taken_meanwhile_stays_as_it_is(tmp_path: Path, is_folder: bool) -> None:
    draft = Draft(tmp_path / "one.mp4", is_folder=is_folder)
    (tmp_path / "one.mp4").mkdir()
    (tmp_path / "one.mp4" / "notes").write_text("mine")
    (tmp_path / "one-2.mp4").mkdir()
    (tmp_path / "one-2.mp4" / "notes").write_text("mine too")
    assert draft.finish() == tmp_path / "one-3.mp4"
    assert names(tmp_path) == ["one-2.mp4", "one-3.mp4", "one.mp4"]
    assert names(tmp_path / "one.mp4") == ["notes"]


KILLED = """
import os, sys
from pathlib import Path
from pixelplan.system.drafts import Draft

draft = Draft(Path(sys.argv[1]), is_folder=sys.argv[2] == "folder")
if draft.path.is_dir():
    (draft.path / "content").write_text("half")
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_what_a_killed_owner_has_left_is_removed_by_the_next(tmp_path: Path, kind: str) -> None:
    """Costs 0.1 s: the owner is a process."""
    place = tmp_path / "one"
    subprocess.run([sys.executable, "-c", KILLED, place, kind], check=False)
    (tmp_path / ".one.mine").write_text("no draft")
    (tmp_path / ".other.draft-12345678").mkdir()
    assert len(names(tmp_path)) == 4
    Draft(place, is_folder=kind == "folder").finish()
    assert names(tmp_path) == [".one.mine", ".other.draft-12345678", "one"]


def test_only_drafts_of_the_same_place_are_removed(tmp_path: Path) -> None:
    """Names that begin as those of drafts do may be anybody's."""
    (tmp_path / ".x.draft-1").mkdir()
    other = Draft(tmp_path / "x.draft-b.mp4")
    Draft(tmp_path / "x").finish()
    assert other.finish() == tmp_path / "x.draft-b.mp4"
    assert names(tmp_path) == [".x.draft-1", "x", "x.draft-b.mp4"]
    with pytest.raises(OSError, match="drafts have such names"):
        Draft(tmp_path / ".x.draft-abcdefgh")


def test_a_name_need_not_be_text(tmp_path: Path) -> None:
    place = tmp_path / os.fsdecode(b"bad\xff")
    write_whole(place, b"content")
    assert place.read_bytes() == b"content"
    assert len(names(tmp_path)) == 1
