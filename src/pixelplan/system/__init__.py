"""What programs need of the system they run on; nothing of planning."""
