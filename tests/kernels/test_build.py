"""Where compiled code is kept, by whom it is made, and that none is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import Pipe
from pathlib import Path

import pytest

from larspark.cache import CACHE_VARIABLE, cache_folder
from larspark.kernels import archive, build, store
from larspark.kernels.catalogue import called_by, kernel_named, names
from larspark.kernels.compile import hand_out, tell
from larspark.kernels.order import Order
from larspark.kernels.signatures import signatures

ROOT = Path(__file__).parents[2]


def test_the_folder_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "chosen"))
    assert cache_folder("kernels").parent == tmp_path / "chosen"


def test_a_folder_that_cannot_be_written_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    found = cache_folder("kernels")
    assert found.is_dir()
    assert tmp_path not in found.parents


@pytest.mark.parametrize("place", ["kernels", "."])
def test_a_folder_that_others_can_write_to_is_passed_over(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "chosen"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "chosen" / "kernels").mkdir(parents=True)
    (tmp_path / "chosen" / place).chmod(0o777)
    assert cache_folder("kernels") == tmp_path / "cache" / "larspark" / "kernels"


def test_a_new_folder_belongs_to_its_user_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    assert cache_folder("kernels").stat().st_mode & 0o777 == 0o700


def test_the_annotations_of_every_kernel_say_its_types() -> None:
    assert all(any(signatures(kernel_named(name).py_func)) for name in names())


def test_every_kernel_has_a_name_of_its_own() -> None:
    assert len(set(names())) == len(names())
    assert all(kernel_named(name).py_func.__name__ == name.partition(".")[2] for name in names())


def test_kernels_are_compiled_after_those_that_they_call() -> None:
    order, done = Order(names()), set()
    while name := order.take():
        assert called_by(name) <= done
        done.add(name)
        order.put(name)
        assert order.done == len(done)
    assert done == set(names())
    assert order.is_done
    assert "machine.run" in called_by("tasks.run_plan")


def test_all_stop_when_one_process_has_died() -> None:
    order, (here, there) = Order(names()), Pipe()
    there.close()
    hand_out(order, here)
    assert order.take() is None
    assert not order.is_done


def test_what_threads_tell_about_the_progress_does_not_get_mixed(capfd: pytest.CaptureFixture[str]) -> None:
    order = Order(names())
    with ThreadPoolExecutor(4) as pool:
        for _ in range(2_000):
            pool.submit(tell, order)
    assert {*capfd.readouterr().out.splitlines()} == {f"0 {order.count}"}


def test_nothing_is_compiled_where_all_kernels_are_there() -> None:
    build.provide_kernels()
    before = _files()
    programs = sorted(path for path in (ROOT / "examples").glob("*.lars") if path.with_suffix(".jsonl").exists())
    script = f"""
import numba.core.event as event
from larspark.cli.main import main
with event.install_recorder("numba:compile") as compiled:
    for program in {[str(path.with_suffix("")) for path in programs]!r}:
        main(["eval", program + ".lars", "--stream", program + ".jsonl"])
assert not compiled.buffer, compiled.buffer
"""
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL, env=_environment())
    assert _files() == before


def test_what_is_packed_on_one_machine_is_unpacked_on_another(tmp_path: Path) -> None:
    build.provide_kernels()
    packed = archive.pack(tmp_path)
    script = f"""
from pathlib import Path
from larspark.kernels import archive, build, store
assert not store.is_complete()
archive.unpack(Path({str(packed)!r}))
build.provide_kernels()
print(*sorted(path.name for path in store.complete_folder().iterdir()))
"""
    environment = _environment() | {CACHE_VARIABLE: str(tmp_path / "elsewhere")}
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, env=environment)
    assert {store.COMPLETE, *done.stdout.split()} <= _files()


def _files() -> set[str]:
    folder = store.complete_folder()
    assert folder is not None
    return {path.name for path in folder.iterdir()}


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
