"""What a run of `scan` takes."""

import json
import os
import subprocess


def costs(binary, path, options=(), environment=None):
    """Seconds, CPU seconds and bytes of peak memory."""
    # By a shell: the peak memory of a process begins with that of the one that starts it, which may be one with all documents.
    command = ["sh", "-c", '"$@" -o /dev/null; exit $?', "sh", binary, "scan", "--json", *options, path]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        said = process.stderr.read().splitlines()[-1]
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, said
    summary = json.loads(said)
    return summary["seconds"], usage.ru_utime + usage.ru_stime, summary["peak_rss_bytes"]
