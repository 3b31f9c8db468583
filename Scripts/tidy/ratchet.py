"""Counts of what is still there although it should not be; a count may only fall."""

import re


class Ratchet:
    """The counts of one kind in a file of lines `KIND NAME COUNT`, each perhaps with a reason behind it."""

    def __init__(self, repository, path, kind):
        self.path = path
        self._repository = repository
        self._line = re.compile(rf"^({kind} +)(?P<name>.*?)( +)(?P<count>\d+)(?P<reason> .*)?$", re.MULTILINE)
        self._kind = kind

    def allowed(self):
        return {match["name"]: int(match["count"]) for match in self._line.finditer(self._repository.text(self.path))}

    def exceeded(self, found):
        """Says where more was found than is allowed, or less; `found` has the findings by name."""
        allowed, findings = self.allowed(), []
        for name in sorted({*allowed, *found}):
            count, most = len(found.get(name, ())), allowed.get(name, 0)
            if count > most and most == 0:
                findings += found[name]
            elif count > most:
                findings.append(
                    f"{name}: {count}, where {self.path} allows {most}; "
                    f"`Scripts/check-tidy --list {self._kind} '{name}'` lists them")
            elif count < most:
                findings.append(
                    f"{name}: {count}, where {self.path} still allows {most}; `Scripts/check-tidy --lower` lowers it")
        return findings

    def lower(self, found):
        """Writes the counts that fell into the file, without the lines that have none left; returns what changed."""
        changes = []

        def fall(match):
            count, now = int(match["count"]), len(found.get(match["name"], ()))
            if now >= count:
                return match[0]
            changes.append(f"{self._kind} {match['name']}: {count} -> {now}")
            return f"{match[1]}{match['name']}{match[3]}{now}{match['reason'] or ''}" if now else ""

        text = self._line.sub(fall, self._repository.text(self.path))
        self._repository.write(self.path, re.sub(r"\n{3,}", "\n\n", text))
        return changes
