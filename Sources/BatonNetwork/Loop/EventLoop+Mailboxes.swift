extension EventLoop {
    /// A way for other threads to have the handler called on this loop's thread.
    ///
    /// The loop holds the handler until the mailbox is removed or the loop closed.
    package func mailbox<Message: Sendable>(
        _ handler: @escaping (Message) -> Void
    ) throws(NetworkError) -> Mailbox<Message> {
        let mailbox = try Mailbox<Message>()
        let delivery = MailboxDelivery(mailbox: mailbox, handler: handler)
        let token = try watch(mailbox.bell, for: .readable, abandoned: mailbox.close) { [unowned self] _ in
            delivery.deliver(on: self)
        }
        mailboxes[ObjectIdentifier(mailbox)] = token
        return mailbox
    }

    /// Ends a mailbox: what was posted and not yet delivered is dropped, the handler is released.
    package func remove<Message>(_ mailbox: Mailbox<Message>) {
        guard let token = mailboxes.removeValue(forKey: ObjectIdentifier(mailbox)) else { return }
        mailbox.close()
        unwatch(token, of: mailbox.bell)
    }
}
