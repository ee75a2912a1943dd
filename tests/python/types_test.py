"""The types of the package: each public name has them, and a type checker in its strictest mode accepts a program that uses them."""

import hashlib
import inspect
import os
import pathlib
import subprocess
import sys
import unittest

import package
from package import Test, package as neardup

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = HERE / "types-packages.txt"


def checker():
    """The Python that has mypy, of PyPI."""
    digest = hashlib.sha256(PACKAGES.read_bytes()).hexdigest()[:12]
    name = f"python-types-{sys.version_info[0]}.{sys.version_info[1]}-{digest}"
    outside = package.packages.outside
    return outside.folder(name, lambda new: outside.install(new, PACKAGES, "mypy")) / "bin" / "python"


def public_functions():
    """(name, function) of what __all__ names, with the methods of classes."""
    for name in neardup.__all__:
        value = getattr(neardup, name)
        for part, member in vars(value).items() if inspect.isclass(value) else [("", value)]:
            if isinstance(member, property):
                member = member.fget
            if inspect.isfunction(member) and (not part.startswith("_") or part in ("__init__", "__getitem__", "__iter__")):
                yield f"{name}.{part}", member


class Types(Test):
    def test_each_public_function_says_its_types(self):
        found = dict(public_functions())
        self.assertGreater(len(found), 50)
        for name, function in found.items():
            parameters = [parameter for parameter in inspect.signature(function).parameters if parameter != "self"]
            missing = [parameter for parameter in [*parameters, "return"] if parameter not in function.__annotations__]
            self.assertEqual(missing, [], name)

    def test_a_type_checker_accepts_a_program(self):
        try:
            python = checker()
        except package.packages.outside.Missing as missing:
            self.skipTest(str(missing))
        folder = pathlib.Path(neardup.__file__).parents[1]
        done = subprocess.run([python, "-m", "mypy", "--strict", "--warn-unused-ignores", "--follow-imports=silent", "--python-version=3.11",
                               f"--cache-dir={self.folder}", HERE / "types_sample.py"],
                              env={**os.environ, "MYPYPATH": str(folder)}, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "Success: no issues found in 1 source file\n"), done.stderr)


if __name__ == "__main__":
    unittest.main()
