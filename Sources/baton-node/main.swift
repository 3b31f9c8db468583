print("baton-node")
