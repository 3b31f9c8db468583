#!/usr/bin/env python3
"""A shopping list that Baton knows: `shopping.py` declares its items, and what can be done with them.

Then `baton run shopping Add --item milk` adds one, and `baton find Item --where 'count > 1'` finds some.
"""
import json, os, subprocess, sys

FILE = os.path.expanduser("~/shopping.json")
ITEM = {"name": "item", "title": "Item", "kind": "entity", "type": "Item"}
DECLARATION = {
    "title": "Shopping", "program": [sys.executable, os.path.abspath(__file__), "perform"],
    "entities": [{"name": "Item", "title": "Item", "properties": [
        {"name": "name", "kind": "text", "attribute": "title"}, {"name": "count", "kind": "integer"}]}],
    "intents": [
        {"name": "Add", "title": "Add to the List", "parameters": [
            {"name": "item", "title": "Item", "kind": "text"},
            {"name": "count", "title": "Count", "kind": "integer", "default": 1, "least": 1, "greatest": 99}]},
        {"name": "Buy", "title": "Take off the List", "parameters": [ITEM]},
        {"name": "Show", "title": "Show an Item", "opens": "Item", "parameters": [ITEM]}],
    "shortcuts": [{"intent": "Add", "phrases": ["Put ${item} on my ${applicationName} list"]}]}
items = json.load(open(FILE)) if os.path.exists(FILE) else {}


def tell_baton(*commands):
    lines = "".join(json.dumps(command) + "\n" for command in commands)
    told = subprocess.run(["baton", "app", "org.example.shopping"], input=lines, stdout=subprocess.PIPE, text=True)
    for answer in map(json.loads, told.stdout.splitlines()):
        if "error" in answer:
            print(answer["error"], file=sys.stderr)


def indexed(item):  # The index is that of all machines, so each changes only items of its own.
    return {"item": item, "entity": "Item", "properties": {"name": item, "count": items[item]}}


def change(item, count):
    items.update({item: count}) if count else items.pop(item)
    json.dump(items, open(FILE, "w"))
    tell_baton({"index": indexed(item) if count else {"delete": item}})


def perform(intent, item, count=0):
    if intent == "Add":
        change(item, items.get(item, 0) + count)
    elif not items:
        return {"error": "The list of this machine is empty."}
    elif item not in items:
        return {"ask": "item", "text": "Which item?", "choices": [{"name": name} for name in items]}
    elif intent == "Buy":
        change(item, 0)
        return {"dialog": f"Bought: {item}."}
    return {"dialog": f"{items[item]} of {item} on the list."}


if sys.argv[1:] == ["perform"]:  # Baton has started this program for an intent.
    for request in map(json.loads, sys.stdin):
        answer = perform(request["intent"], **request["parameters"])
        print(json.dumps({"performed": request["number"], **answer}), flush=True)
else:
    tell_baton({"declare": DECLARATION}, {"index": [indexed(item) for item in items]})
