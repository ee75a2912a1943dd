"""Commands that are killed while they run."""

import subprocess


def kill_after(process, seconds):
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()


def run_for(command, seconds):
    """The exit status of a command that is killed after `seconds`, unless it has ended, and what it says."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    kill_after(process, seconds)
    said = process.communicate()[1].decode(errors="replace")
    return process.returncode, said
