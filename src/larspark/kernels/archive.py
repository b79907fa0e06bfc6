"""Compiled kernels as one file, for machines that have none: packed where they are, unpacked where they are needed."""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path

from larspark.kernels import store
from larspark.kernels.target import folder_name


def archive_name() -> str:
    """Two sides that run the same code on the same kind of machine look for the same name."""
    return f"larspark-{folder_name()}.zip"


def pack(folder: Path) -> Path:
    """All kernels in one file in this folder; they have to be there."""
    path, source = folder / archive_name(), store.complete_folder()
    assert source is not None
    if not path.exists():
        with (
            tempfile.NamedTemporaryFile(dir=folder, delete=False) as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            for one in sorted(source.iterdir()):
                if one.name != store.BUILDING:
                    archive.write(one, one.name)
        Path(file.name).replace(path)
    return path


def unpack(path: Path) -> None:
    """Into the user's folder; the sign that all are there comes last."""
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist(), key=lambda name: name == store.COMPLETE):
            store.write(Path(name).name, archive.read(name))
