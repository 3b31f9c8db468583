#!/usr/bin/env python3
"""A notes editor whose notes continue on another machine: `notes.py FILE` adds each typed line to the note.

It starts an activity, saves when it is told to, and continues a note that the person hands over.
"""
import json, subprocess, sys, threading

note = {"file": sys.argv[1] if len(sys.argv) > 1 else "", "text": ""}
baton = subprocess.Popen(["baton", "app", "org.example.notes"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def say(**command):
    print(json.dumps(command), file=baton.stdin, flush=True)


def listen():
    for line in baton.stdout:
        told = json.loads(line)
        if told.get("event") == "save":  # Another machine continues: send it the present text.
            say(saved=told["number"], update={"info": note})
        elif told.get("event") == "continued" and told["taken"]:
            print(f"This note continues on {told['on']['name']}.", flush=True)
        elif told.get("event") == "continue":  # The person continues a note here.
            say(opened=told["number"])
            note.update(told["continued"]["activity"]["info"])
            say(become={"type": "org.example.notes.edit", "title": note["file"], "info": note})
            print(f"Continuing {note['file']}: {note['text']!r}", flush=True)
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
