# SPDX-License-Identifier: Apache-2.0
"""slurm.py - a cluster of Slurm with this machine as its only node, in a folder, as this user."""
import contextlib
import getpass
import os
import pathlib
import shutil
import socket
import subprocess
import time

PROGRAMS = 'slurmctld', 'slurmd', 'sbatch', 'sinfo'
WORDS = '''ClusterName=one
SlurmctldHost={node}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/none
CredType=cred/none
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
NodeName={node} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={node} Default=YES MaxTime=10 State=UP
'''


def is_installed():
    return all(shutil.which(program) for program in PROGRAMS)


def free_ports():
    sockets = [socket.create_server(('127.0.0.1', 0)) for _ in range(2)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def is_ready(variables):
    said = subprocess.run(['sinfo', '--noheader', '--format=%T'], capture_output=True, text=True, env=variables)
    return said.stdout.split() == ['idle']


@contextlib.contextmanager
def cluster(folder, seconds=30):
    """Variables with which sbatch reaches the cluster, or None where it does not start: folder/*.log tell why."""
    folder = pathlib.Path(folder).resolve()
    for name in 'state', 'spool':
        (folder / name).mkdir(parents=True)
    (folder / 'slurm.conf').write_text(WORDS.format(
        node=socket.gethostname().split('.')[0], ports=free_ports(), user=getpass.getuser(), folder=folder,
        cpus=os.cpu_count()), encoding='utf-8')
    variables = {**os.environ, 'SLURM_CONF': str(folder / 'slurm.conf')}
    with contextlib.ExitStack() as stack:
        daemons = []
        for program in 'slurmctld', 'slurmd':
            log = stack.enter_context(open(folder / f'{program}.log', 'wb'))
            daemons.append(subprocess.Popen([program, '-D'], stdout=log, stderr=log, env=variables))
        end = time.monotonic() + seconds
        ready = False
        while not ready and time.monotonic() < end and all(d.poll() is None for d in daemons):
            time.sleep(0.5)
            ready = is_ready(variables)
        try:
            yield variables if ready else None
        finally:
            for daemon in daemons:
                daemon.terminate()
                daemon.wait()
