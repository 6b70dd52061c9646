"""Makes what is not kept in the repository: the messages of the contract, and the blocking client."""

import ast
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Command, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE / "croupier"
CONTRACT = HERE.parents[1] / "proto"
MADE = ["v1", "table", "games", "blocking"]

# What the blocking client calls otherwise, in the order in which it is replaced.
BLOCKING = [
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAwaitable\[(\w+)\]", r"\1"),
    (r"\bAsyncIterator\b", "Iterator"),
    (r"\bAsyncIterable\b", "Iterable"),
    (r"\b__a(enter|exit|iter|next)__\b", r"__\1__"),
    (r"\bStopAsyncIteration\b", "StopIteration"),
    (r"\banext\b", "next"),
    (r"\baiter\b", "iter"),
    (r"ServiceAsyncStub\b", "ServiceStub"),
    (r"\bcroupier\.aio\b", "croupier.blocking"),
    (r"\bfrom croupier import Croupier\b", "from croupier.blocking import Croupier"),
    (r"\b_waiting\b", "_blocking"),
]


class Generate(Command):
    """The generated part of the package, next to the written one."""

    user_options = []

    def initialize_options(self):
        pass

    def finalize_options(self):
        pass

    def run(self):
        # A source distribution has what was made, and no contract to make it from.
        if CONTRACT.is_dir():
            for folder in MADE:
                shutil.rmtree(PACKAGE / folder, ignore_errors=True)
            make_messages()
            make_blocking()


def make_messages():
    sources = [*CONTRACT.glob("croupier/v1/*.proto"), *CONTRACT.glob("croupier/table/*/*.proto")]
    sources += CONTRACT.glob("croupier/games/*/*/*.proto")
    programs = pathlib.Path(sys.executable).parent
    kinds = ("python", "grpc_python", "mypy", "mypy_grpc")
    command = [sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={CONTRACT}"]
    command += [f"--{kind}_out={'quiet:' if 'mypy' in kind else ''}{HERE}" for kind in kinds]
    for kind in ("mypy", "mypy_grpc"):
        if (program := programs / f"protoc-gen-{kind}").exists():
            command.append(f"--plugin=protoc-gen-{kind}={program}")
    subprocess.run(command + sorted(map(str, sources)), check=True)
    for path in PACKAGE.rglob("*_pb2_grpc.py*"):
        if not re.search(r"^class \w+Stub\b", path.read_text(), re.MULTILINE):
            path.unlink()
    for folder in {path.parent for path in PACKAGE.rglob("*_pb2.py")}:
        while folder != PACKAGE:
            (folder / "__init__.py").touch()
            folder = folder.parent
    gather(PACKAGE / "v1")


def gather(folder):
    """Lets all messages of a package be imported from it."""
    lines = ['"""All messages and enums of the contract, `croupier.v1`."""\n']
    # Options are for programs that read the descriptors.
    for path in sorted(set(folder.glob("*_pb2.pyi")) - {folder / "options_pb2.pyi"}):
        names = []
        for node in ast.parse(path.read_text()).body:
            match node:
                case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                    names.append(name)
        names = [name for name in names if not name.startswith(("_", "Global___", "DESCRIPTOR"))]
        lines.append(f"from croupier.v1.{path.stem} import (")
        lines += [f"    {name} as {name}," for name in names]
        lines.append(")")
    (folder / "__init__.py").write_text("\n".join(lines) + "\n")


def make_blocking():
    (PACKAGE / "blocking").mkdir()
    for path in (PACKAGE / "aio").glob("*.py"):
        text = path.read_text()
        for pattern, replacement in BLOCKING:
            text = re.sub(pattern, replacement, text)
        note = "# Made of the module of this name in croupier/aio by setup.py.\n"
        (PACKAGE / "blocking" / path.name).write_text(note + text)


class BuildPy(build_py):
    def run(self):
        self.run_command("generate")
        # What was made just now is not known to the command yet.
        self.packages = self.distribution.packages = packages()
        super().run()


class Sdist(sdist):
    def run(self):
        self.run_command("generate")
        self.distribution.packages = packages()
        super().run()


def packages():
    folders = [path.parent.relative_to(HERE) for path in PACKAGE.rglob("__init__.py")]
    return [".".join(folder.parts) for folder in folders]


setup(
    packages=packages(),
    package_data={"": ["*.pyi", "py.typed"]},
    cmdclass={"generate": Generate, "build_py": BuildPy, "sdist": Sdist},
)
