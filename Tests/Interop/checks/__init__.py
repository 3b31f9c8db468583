"""What is checked: the vectors, and a real node that talks to the peer."""
