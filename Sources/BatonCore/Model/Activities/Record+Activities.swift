extension Record {
    /// The current activity that this record is about, if it is there and can be read.
    ///
    /// One that many writes made larger than what can be said of it is as if it could not.
    package var activity: (name: ActivityName, activity: Activity)? {
        guard let key, key.kind == .currentActivity, let fields, fields.canBeWritten else { return nil }
        do throws(CBORError) {
            return (try ActivityName(key, of: identity), try Activity(fields))
        } catch {
            return nil
        }
    }

    /// The activity that this record keeps, if it is there and can be read.
    package var savedActivity: Activity? {
        guard let key, key.kind == .savedActivity, let fields, fields.canBeWritten else { return nil }
        do throws(CBORError) {
            return try Activity(fields)
        } catch {
            return nil
        }
    }
}
