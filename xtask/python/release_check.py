"""Checks the files of a release and writes their checksums.

    python release_check.py FOLDER MACHINE_FOLDER..

No program in them may name a folder of the machine that made it; the wheel must run on every Linux of its tag.
"""
import hashlib
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path


def programs(path):
    """The compiled programs of a file of the release: name and bytes."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if name.endswith((".so", ".pyd", ".dylib")):
                    yield name, archive.read(name)
    elif path.name.endswith(".tar.gz"):
        with tarfile.open(path) as archive:
            for member in archive.getmembers():
                if member.name.endswith(("/truefold", "/truefold.exe")):
                    yield member.name, archive.extractfile(member).read()


def main(folder, *machine):
    files = sorted(path for path in Path(folder).iterdir() if path.name != "SHA256SUMS")
    looked_at = 0
    for path in files:
        for name, data in programs(path):
            looked_at += 1
            named = [place for place in machine if place.encode() in data]
            if named:
                sys.exit(f"{path.name}: {name} names folders of this machine: {', '.join(named)}")
        if path.suffix == ".whl" and "manylinux" in path.name:
            subprocess.run([sys.executable, "-m", "auditwheel", "show", str(path)], check=True)
    if looked_at < 2:
        sys.exit(f"the release has {looked_at} programs, but the tool and the wheel make two")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (Path(folder) / "SHA256SUMS").write_text("".join(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
