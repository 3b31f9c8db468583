/// Commands of apps and of the command line; each caller gives a ticket.
extension CurrentActivities {
    /// Makes an activity the current one of its instance; the activity that it replaces is kept as finished.
    package mutating func start(_ name: ActivityName, _ own: OwnActivity, for ticket: Ticket, at now: Moment)
    {
        let name = present(name)
        unexplained.remove(name)
        change(name, for: ticket, at: now) { activities in
            var own = own
            if let last = activities.entries[name.identity]?.wanted {
                let savedName = last.activity.savedName(by: name.app)
                if savedName == own.activity.savedName(by: name.app) {
                    // It is the same activity, which goes on.
                    own.activity.goOn(from: last.activity)
                } else {
                    activities.save(last, of: name, as: .finished, at: now)
                }
            }
            activities.entries[name.identity, default: Entry(name)].wanted = own
        }
    }

    /// Changes an activity, if it is going on.
    package mutating func update(
        _ name: ActivityName, _ activity: Activity, for ticket: Ticket, at now: Moment
    ) {
        change(name, for: ticket, at: now) { $0.entries[name.identity]?.wanted?.activity = activity }
    }

    /// Stops offering an activity until it is started again.
    package mutating func resign(_ name: ActivityName, for ticket: Ticket, at now: Moment) {
        change(name, for: ticket, at: now) { $0.entries[name.identity]?.wanted?.isResigned = true }
    }

    /// Ends an activity.
    package mutating func finish(
        _ name: ActivityName, as ending: Ending, for ticket: Ticket, at now: Moment
    ) {
        unexplained.remove(name)
        change(name, for: ticket, at: now) { $0.end(name, as: ending, isCertain: false, at: now) }
    }

    /// Ends the activities of an app that have one of these identifiers, and keeps nothing of them; returns their
    /// names.
    ///
    /// Names whose earlier activities with such an identifier are still to be saved get a ticket of the second kind.
    package mutating func deleteSaved(
        _ app: String, _ identifiers: Set<String>, for ticket: (ActivityName) -> Ticket,
        saving earlier: (ActivityName) -> Ticket, at now: Moment
    ) -> [ActivityName] {
        let saved = Set(identifiers.map { SavedActivityName(app: app, identifier: $0) })
        var ended: [ActivityName] = []
        for name in sortedNames where name.app == app {
            let isPending = entries[name.identity]?.dropSaves { saved.contains($0) } ?? false
            let identifier = entries[name.identity]?.wanted?.activity.persistentIdentifier
            if let identifier, identifiers.contains(identifier) {
                ended.append(name)
                finish(name, as: .forgotten, for: ticket(name), at: now)
            } else if isPending {
                change(name, for: earlier(name), at: now) { _ in }
            }
        }
        return ended
    }

    /// Cancels saving the ended activities of an app; each one that was still to be saved gets a ticket.
    package mutating func deleteAllSaved(
        _ app: String, for ticket: (ActivityName) -> Ticket, at now: Moment
    ) {
        for name in sortedNames where name.app == app {
            guard entries[name.identity]?.dropSaves(where: { _ in true }) ?? false else { continue }
            change(name, for: ticket(name), at: now) { _ in }
        }
    }

    private mutating func change(
        _ name: ActivityName, for ticket: Ticket, at now: Moment, _ body: (inout Self) -> Void
    ) {
        body(&self)
        guard entries[name.identity] != nil else { return answers.append((ticket, nil)) }
        entries[name.identity]?.tickets.append(ticket)
        settle(name, at: now)
    }
}

extension Activity {
    /// Takes over what was recorded of it before it was begun once more.
    fileprivate mutating func goOn(from last: Activity) {
        (started, continuation, sent) = (last.started, last.continuation, last.sent)
    }
}
