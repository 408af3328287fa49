#!/bin/sh
# slurm.sh - a run on many machines that goes on after every time limit.
#
#   sbatch examples/slurm.sh model.uai run
#
# The first job begins, the next ones go on from the checkpoint: run.ck.  A
# minute before its time is up Slurm sends SIGTERM to all ranks; hiss then
# writes a checkpoint and what was drawn so far, and ends with code 143.
#SBATCH --job-name=hiss
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=16
#SBATCH --cpus-per-task=2
#SBATCH --time=04:00:00
#SBATCH --signal=TERM@60
#SBATCH --requeue
#SBATCH --open-mode=append

model=${1:?usage: sbatch slurm.sh MODEL NAME}
name=${2:?usage: sbatch slurm.sh MODEL NAME}

# --mpi: what `srun --mpi=list` offers and the MPI of hiss knows.  A rank that
# is lost ends all; the checkpoint stays.
launch() {
    srun --mpi=pmix --kill-on-bad-exit=1 --cpus-per-task="$SLURM_CPUS_PER_TASK" \
        hiss sample "$@" --threads "$SLURM_CPUS_PER_TASK" --quiet
}

if [ -e "$name.ck" ]; then
    launch --resume "$name.ck" --force
else
    # 16 chains for every thread
    launch "$model" \
        --chains $((SLURM_NTASKS * SLURM_CPUS_PER_TASK * 16)) --ess 10000 \
        -o "$name.nc" --checkpoint "$name.ck" --checkpoint-every 5m
fi
code=$?

# Stopped by the limit: once more.
if [ $code -eq 143 ]; then
    scontrol requeue "$SLURM_JOB_ID"
fi
exit $code
