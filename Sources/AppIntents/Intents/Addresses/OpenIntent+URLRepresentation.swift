extension OpenIntent where Self: URLRepresentableIntent, Value: URLRepresentableEntity {
    /// The address of the target.
    public static var urlRepresentation: IntentURLRepresentation<Self> {
        IntentURLRepresentation { Value.urlRepresentation.template.url(for: $0.target)?.absoluteString ?? "" }
    }
}
