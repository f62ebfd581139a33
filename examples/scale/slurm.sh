#!/bin/sh
# slurm.sh MODEL INPUT LIST OUT - a job array: each task runs one part of the files, on the processors it is given.
#
#   sbatch --array=1-8 slurm.sh model.onnx image files.txt /shared/results
#
# A task that is cut off and queued again goes on where it was.
#SBATCH --job-name=ocellus
#SBATCH --requeue
set -eu
exec "${OCELLUS:-ocellus}" map "$1" -i "$2=$3" -o "$4" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
    --threads "${SLURM_CPUS_PER_TASK:-1}" --quiet --resume
