#!/usr/bin/env python3
"""A notes editor that can be gone on with on another machine: `notes.py FILE`; each line that is typed is added to the note.

It becomes current, saves when it is told to, and goes on with what it is offered.
"""
import json, subprocess, sys, threading

note = {"file": sys.argv[1] if len(sys.argv) > 1 else "", "text": ""}
baton = subprocess.Popen(["baton", "app", "org.example.notes"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def say(**command):
    print(json.dumps(command), file=baton.stdin, flush=True)


def listen():
    for line in baton.stdout:
        told = json.loads(line)
        if told.get("event") == "save":  # Another machine goes on: it gets what is typed by now.
            say(saved=told["number"], update={"info": note})
        elif told.get("event") == "continued" and told["taken"]:
            print(f"This note goes on on {told['on']['name']}.", flush=True)
        elif told.get("event") == "continue":  # The person wants to go on here.
            note.update(told["continued"]["activity"]["info"])
            say(become={"type": "org.example.notes.edit", "title": note["file"], "info": note})
            print(f"Going on with {note['file']}: {note['text']!r}", flush=True)
        elif "error" in told:
            print(told["error"], file=sys.stderr, flush=True)


threading.Thread(target=listen, daemon=True).start()
say(handle=["org.example.notes.*"], title="Notes")
if note["file"]:
    say(become={"type": "org.example.notes.edit", "title": note["file"], "info": note})
for typed in sys.stdin:
    note["text"] += typed
baton.stdin.close()
sys.exit(baton.wait())
