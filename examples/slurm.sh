#!/bin/bash
# A calibration on several nodes, by Slurm:   sbatch slurm.sh PROBLEM.toml [options of gfdt calibrate]
#
# One rank a socket, each with a thread a core. Slurm sends SIGTERM two minutes before the time is up: the calibration stops between two
# blocks of a run, keeps what it has in the run folder, and the job puts itself back into the queue; started again, it goes on where it was and
# ends in the same bits.
#SBATCH --job-name=gfdt
#SBATCH --nodes=4
#SBATCH --ntasks-per-socket=1
#SBATCH --exclusive
#SBATCH --time=04:00:00
#SBATCH --signal=TERM@120
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=gfdt-%j.log
set -u

problem=${1:?"Usage: sbatch slurm.sh PROBLEM.toml [options of gfdt calibrate]"}
shift
folder=$(basename "$problem" .toml)-run

# Generated code is compiled once for all ranks of a node; a cache on a disk of the node keeps them off the shared file system.
export GFDT_CACHE=${GFDT_CACHE:-${TMPDIR:-/tmp}/gfdt-cache-$USER}

# A folder with a run in it is one that was stopped.
resume=()
[ -e "$folder/run.json" ] && [ ! -e "$folder/result.json" ] && resume=(--resume)

# Nodes of one kind: ranks with other vector instructions are refused. Add --constraint where the cluster has several.
srun --mpi=pmix --cpu-bind=sockets gfdt calibrate "$problem" --out "$folder" --no-report "${resume[@]}" "$@"
status=$?

# Stopped by the signal, and not by its own verdict: there is no result yet.
if [ $status -eq 1 ] && [ ! -e "$folder/result.json" ]; then
  scontrol requeue "$SLURM_JOB_ID"
  exit 0
fi
[ -e "$folder/result.json" ] && gfdt report "$folder"
exit $status
