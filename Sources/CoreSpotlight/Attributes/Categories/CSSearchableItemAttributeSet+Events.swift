import BatonCore
public import Foundation

// Attributes of events and tasks.

extension CSSearchableItemAttributeSet {
    /// The time by which the item is due.
    public var dueDate: Date? {
        get { self[.dueDate] }
        set { self[.dueDate] = newValue }
    }

    /// The time when the item was completed.
    public var completionDate: Date? {
        get { self[.completionDate] }
        set { self[.completionDate] = newValue }
    }

    /// The beginning of the event.
    public var startDate: Date? {
        get { self[.startDate] }
        set { self[.startDate] = newValue }
    }

    /// The end of the event.
    public var endDate: Date? {
        get { self[.endDate] }
        set { self[.endDate] = newValue }
    }

    /// Other times that are important for the item.
    public var importantDates: [Date]? {
        get { self[.importantDates] }
        set { self[.importantDates] = newValue }
    }

    /// Whether the event takes the whole day: 0 or 1.
    public var allDay: NSNumber? {
        get { self[.allDay] }
        set { self[.allDay] = newValue }
    }
}
