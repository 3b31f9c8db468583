package import BatonCore

/// A row of a list in which a person chooses.
package struct ListRow {
    /// The heading of the rows around it; nil for a row that stands alone.
    package var group: VisibleText?
    /// The kind of the thing, as one cell; empty for none.
    package var sign: VisibleText = ""
    package var title: MarkedText
    /// An excerpt of the thing's content.
    package var about = MarkedText("")
    package var device = MarkedText("")
    /// How old the thing is, in one word, or why it is listed.
    package var age = MarkedText("")
    /// Whether the row is secondary.
    package var isDim = false

    package init(
        group: VisibleText? = nil, sign: VisibleText = "", title: MarkedText,
        about: MarkedText = MarkedText(""),
        device: MarkedText = MarkedText(""), age: MarkedText = MarkedText(""), isDim: Bool = false
    ) {
        (self.group, self.sign) = (group, sign)
        (self.title, self.about) = (title, about)
        (self.device, self.age, self.isDim) = (device, age, isDim)
    }
}
