"""What keeps a running studio sound while nobody looks: checkpoints, their witnesses, retention, snapshots, the
program itself."""
