"""What runs inside one bucket of a stage, from micro-batch to micro-batch, and the state that it keeps."""
