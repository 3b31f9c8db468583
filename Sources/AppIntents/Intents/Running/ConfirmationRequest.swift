/// A question for an agreement.
package struct ConfirmationRequest: Sendable {
    /// The question; nil if the intent says nothing.
    package let dialog: String?
    /// The words for accepting and declining.
    package let action: ConfirmationActionName

    package init(dialog: String?, action: ConfirmationActionName) {
        (self.dialog, self.action) = (dialog, action)
    }
}
