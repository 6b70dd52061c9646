import os

# The verifier forks, and gRPC would say so each time.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "false")
