public import Foundation

/// An amount of money.
open class INCurrencyAmount: NSObject, NSCopying, NSSecureCoding {
    /// The amount as a number.
    public let amount: NSDecimalNumber?
    /// The code of the currency, such as `EUR`.
    public let currencyCode: String?

    /// Creates an amount.
    public init(amount: NSDecimalNumber, currencyCode: String) {
        (self.amount, self.currencyCode) = (amount, currencyCode)
        super.init()
    }

    /// Returns the amount itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares the numbers and the currencies.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INCurrencyAmount else { return false }
        return amount == other.amount && currencyCode == other.currencyCode
    }

    /// A hash value, which is the same for equal amounts.
    open override var hash: Int { combinedHash(amount, currencyCode) }

    /// Whether amounts can be decoded securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the number and the currency to an archive.
    open func encode(with coder: NSCoder) {
        coder.encodeAmount(amount)
        coder.encode(currencyCode.map { $0 as NSString }, forKey: AmountKey.currency)
    }

    /// Reads an amount from an archive.
    public required init?(coder: NSCoder) {
        guard let amount = coder.decodeAmount(),
            let code = coder.decodeObject(of: NSString.self, forKey: AmountKey.currency)
        else { return nil }
        (self.amount, currencyCode) = (amount, code as String)
        super.init()
    }
}

/// A balance: an amount of money, or a number of points or miles in a loyalty programme.
open class INBalanceAmount: NSObject, NSCopying, NSSecureCoding {
    /// The balance as a number.
    public let amount: NSDecimalNumber?
    /// The kind of the balance.
    public let balanceType: INBalanceType
    /// The code of the currency; nil if the balance is not money.
    public let currencyCode: String?

    /// Creates a balance of this kind.
    public init(amount: NSDecimalNumber, balanceType: INBalanceType) {
        (self.amount, self.balanceType, currencyCode) = (amount, balanceType, nil)
        super.init()
    }

    /// Creates a balance of money.
    public init(amount: NSDecimalNumber, currencyCode: String) {
        (self.amount, balanceType, self.currencyCode) = (amount, .money, currencyCode)
        super.init()
    }

    /// Returns the balance itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares the numbers, the kinds and the currencies.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INBalanceAmount else { return false }
        return amount == other.amount && balanceType == other.balanceType
            && currencyCode == other.currencyCode
    }

    /// A hash value, which is the same for equal balances.
    open override var hash: Int { combinedHash(amount, currencyCode) }

    /// Whether balances can be decoded securely from an archive.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the balance to an archive.
    open func encode(with coder: NSCoder) {
        coder.encodeAmount(amount)
        coder.encode(Int64(balanceType.rawValue), forKey: AmountKey.kind)
        coder.encode(currencyCode.map { $0 as NSString }, forKey: AmountKey.currency)
    }

    /// Reads a balance from an archive.
    public required init?(coder: NSCoder) {
        guard let amount = coder.decodeAmount() else { return nil }
        self.amount = amount
        balanceType = INBalanceType(rawValue: Int(coder.decodeInt64(forKey: AmountKey.kind))) ?? .unknown
        currencyCode = coder.decodeObject(of: NSString.self, forKey: AmountKey.currency).map { $0 as String }
        super.init()
    }
}

/// The kind of a balance.
public enum INBalanceType: Int, Sendable {
    /// The kind is not specified.
    case unknown = 0
    /// Money.
    case money = 1
    /// Points.
    case points = 2
    /// Miles.
    case miles = 3
}

/// The keys of the values in an archive.
private enum AmountKey {
    static let amount = "amount"
    static let currency = "currencyCode"
    static let kind = "balanceType"
}

private func combinedHash(_ amount: NSDecimalNumber?, _ currencyCode: String?) -> Int {
    var hasher = Hasher()
    hasher.combine(amount?.decimalValue)
    hasher.combine(currencyCode)
    return hasher.finalize()
}

extension NSCoder {
    /// Encodes a number as text, so that all digits are kept.
    fileprivate func encodeAmount(_ amount: NSDecimalNumber?) {
        encode(amount.map { $0.decimalValue.description as NSString }, forKey: AmountKey.amount)
    }

    fileprivate func decodeAmount() -> NSDecimalNumber? {
        decodeObject(of: NSString.self, forKey: AmountKey.amount)
            .flatMap { Decimal(string: $0 as String) }.map { NSDecimalNumber(decimal: $0) }
    }
}
