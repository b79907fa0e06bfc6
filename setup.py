"""What pyproject.toml cannot say: examples go into the wheel, and on request the compiled kernels do, too.

`LARSPARK_CARRY_KERNELS=1 pip wheel --no-build-isolation --no-deps .` makes a wheel for this platform and Python that
never compiles; without it the wheel is for all platforms.
"""

import os
import shutil
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

CARRYING = bool(os.environ.get("LARSPARK_CARRY_KERNELS"))


class BuildPackage(build_py):
    """The modules, and what lies elsewhere."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        package = Path(self.build_lib) / "larspark"
        shutil.copytree("examples", package / "examples", dirs_exist_ok=True)
        if CARRYING:
            sys.path.insert(0, "src")
            from larspark.kernels import store  # noqa: PLC0415 - needs numba
            from larspark.kernels.build import provide_kernels  # noqa: PLC0415

            provide_kernels()
            folder = store.complete_folder()
            assert folder is not None
            left_out = shutil.ignore_patterns(store.BUILDING)
            shutil.copytree(folder, package / "kernels/carried" / folder.name, dirs_exist_ok=True, ignore=left_out)


class ForThisPlatform(Distribution):
    """A wheel with compiled code is not for all."""

    def has_ext_modules(self) -> bool:
        return CARRYING


setup(cmdclass={"build_py": BuildPackage}, distclass=ForThisPlatform)
