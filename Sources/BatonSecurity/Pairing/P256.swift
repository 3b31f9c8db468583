import COpenSSL

/// The operations on the curve P-256 that SPAKE2 needs, implemented with OpenSSL.
///
/// Scalars and points are passed as bytes. Intermediate values are wiped. Scalars are marked as secret, so that OpenSSL
/// uses constant-time algorithms.
@safe struct P256: ~Copyable {
    /// The number of bytes of a scalar.
    static let scalarByteCount = 32
    /// The number of bytes of an uncompressed point: a marker byte and two coordinates.
    static let pointByteCount = 65

    /// The `EC_GROUP`, which this value owns.
    private let group: OpaquePointer
    /// The `BN_CTX`, which this value owns, and whose contents are wiped.
    private let context: OpaquePointer

    init() throws(SecurityError) {
        let group = try unsafe OpenSSL.make("load the curve P-256") {
            unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
        }
        let context: OpaquePointer
        do {
            unsafe context = try OpenSSL.make("prepare a calculation") { unsafe BN_CTX_secure_new() }
        } catch {
            unsafe EC_GROUP_free(group)
            throw error
        }
        unsafe (self.group, self.context) = unsafe (group, context)
    }

    deinit {
        unsafe BN_CTX_free(context)
        unsafe EC_GROUP_free(group)
    }

    // MARK: Numbers

    /// Returns a random scalar between 1 and the order of the group minus 1.
    func randomScalar() throws(SecurityError) -> SecretBytes {
        let order = try unsafe order()
        while true {
            let number = try Number()
            try OpenSSL.succeed("generate a random number") {
                unsafe BN_priv_rand_range_ex(number.handle, order, 0, context)
            }
            if unsafe BN_is_zero(number.handle) == 0 { return try number.bytes() }
        }
    }

    /// Returns a number modulo the order of the group.
    func reduced(_ bytes: SecretBytes) throws(SecurityError) -> SecretBytes {
        let number = try Number.reading(bytes)
        let rest = try Number()
        let order = try unsafe order()
        try OpenSSL.succeed("divide a number") {
            unsafe BN_div(nil, rest.handle, number.handle, order, context)
        }
        return try rest.bytes()
    }

    /// Returns the order of the group, an object that the group owns.
    @unsafe private func order() throws(SecurityError) -> OpaquePointer {
        try unsafe OpenSSL.make("read the order of P-256") { unsafe EC_GROUP_get0_order(group) }
    }

    // MARK: Points

    /// Returns the sum of two products: the generator times `number`, and `point` times `factor`.
    ///
    /// The products are calculated separately, because OpenSSL's combined multiplication is not constant-time.
    func combination(
        _ number: SecretBytes, plus factor: SecretBytes, times point: [UInt8]
    ) throws(SecurityError) -> SecretBytes {
        let sum = try makePoint()
        let product = try makePoint()
        let number = try Number.reading(number)
        let factor = try Number.reading(factor)
        let point = try read(point)
        try OpenSSL.succeed("multiply a point") {
            unsafe EC_POINT_mul(group, sum.handle, number.handle, nil, nil, context)
        }
        try OpenSSL.succeed("multiply a point") {
            unsafe EC_POINT_mul(group, product.handle, nil, point.handle, factor.handle, context)
        }
        try OpenSSL.succeed("add points") {
            unsafe EC_POINT_add(group, sum.handle, sum.handle, product.handle, context)
        }
        return try write(sum)
    }

    /// Returns (`point` − `other` × `factor`) × `number`.
    ///
    /// Throws `.malformed` if the result is the point at infinity.
    func remainder(
        of point: [UInt8], minus factor: SecretBytes, times other: [UInt8], multipliedBy number: SecretBytes
    ) throws(SecurityError) -> SecretBytes {
        let rest = try makePoint()
        let product = try makePoint()
        let factor = try Number.reading(factor)
        let number = try Number.reading(number)
        let point = try read(point)
        let other = try read(other)
        try OpenSSL.succeed("multiply a point") {
            unsafe EC_POINT_mul(group, product.handle, nil, other.handle, factor.handle, context)
        }
        try OpenSSL.succeed("negate a point") { unsafe EC_POINT_invert(group, product.handle, context) }
        try OpenSSL.succeed("add points") {
            unsafe EC_POINT_add(group, rest.handle, point.handle, product.handle, context)
        }
        try OpenSSL.succeed("multiply a point") {
            unsafe EC_POINT_mul(group, product.handle, nil, rest.handle, number.handle, context)
        }
        guard unsafe EC_POINT_is_at_infinity(group, product.handle) == 0 else {
            throw SecurityError(.malformed, "A key share leads to the point at infinity.")
        }
        return try write(product)
    }

    /// Returns the uncompressed form of a point that is given in compressed or uncompressed form.
    func uncompressed(_ bytes: [UInt8]) throws(SecurityError) -> [UInt8] {
        try write(try readAnyForm(bytes)).copy()
    }

    /// Reads a point that a peer sent; throws if it is compressed, not on the curve, or at infinity.
    private func read(_ bytes: [UInt8]) throws(SecurityError) -> Point {
        guard bytes.count == Self.pointByteCount, bytes.first == Self.uncompressedMark else {
            throw SecurityError(.malformed, "A key share is not an uncompressed point of P-256.")
        }
        return try readAnyForm(bytes)
    }

    /// The marker byte at the start of an uncompressed point.
    private static let uncompressedMark: UInt8 = 4

    private func readAnyForm(_ bytes: [UInt8]) throws(SecurityError) -> Point {
        let point = try makePoint()
        try OpenSSL.succeed("read a point", as: .malformed) {
            unsafe EC_POINT_oct2point(group, point.handle, bytes, bytes.count, context)
        }
        // OpenSSL has already checked that the point is on the curve. The check is repeated, because security depends
        // on it.
        guard unsafe EC_POINT_is_on_curve(group, point.handle, context) == 1,
            unsafe EC_POINT_is_at_infinity(group, point.handle) == 0
        else { throw SecurityError(.malformed, "A key share is not on the curve P-256.") }
        return point
    }

    private func write(_ point: borrowing Point) throws(SecurityError) -> SecretBytes {
        let handle = unsafe point.handle
        return try unsafe SecretBytes(count: Self.pointByteCount) {
            (buffer: UnsafeMutableRawBufferPointer) throws(SecurityError) in
            let start = unsafe buffer.bindMemory(to: UInt8.self).baseAddress
            try OpenSSL.succeed("write a point", as: .malformed) {
                unsafe EC_POINT_point2oct(
                    group, handle, POINT_CONVERSION_UNCOMPRESSED, start, buffer.count, context)
                    == buffer.count ? 1 : 0
            }
        }
    }

    private func makePoint() throws(SecurityError) -> Point {
        try unsafe Point(owning: OpenSSL.make("create a point") { unsafe EC_POINT_new(group) })
    }

    /// A `BIGNUM` that OpenSSL handles in constant time, and that is wiped when it is freed.
    @safe private struct Number: ~Copyable {
        let handle: OpaquePointer

        init() throws(SecurityError) {
            unsafe handle = try OpenSSL.make("create a number") { unsafe BN_secure_new() }
            unsafe BN_set_flags(handle, BN_FLG_CONSTTIME)
        }

        static func reading(_ bytes: SecretBytes) throws(SecurityError) -> Number {
            let number = try Number()
            let handle = unsafe number.handle
            try OpenSSL.succeed("read a number") {
                unsafe bytes.withBytes { bytes in
                    let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
                    return unsafe BN_bin2bn(start, CInt(bytes.count), handle) == nil ? 0 : 1
                }
            }
            return number
        }

        deinit { unsafe BN_clear_free(handle) }

        /// Returns the bytes of the number, padded with zeros to the size of a scalar.
        func bytes() throws(SecurityError) -> SecretBytes {
            let handle = unsafe handle
            return try unsafe SecretBytes(count: P256.scalarByteCount) {
                (buffer: UnsafeMutableRawBufferPointer) throws(SecurityError) in
                let start = unsafe buffer.bindMemory(to: UInt8.self).baseAddress
                try OpenSSL.succeed("write a number") {
                    unsafe BN_bn2binpad(handle, start, CInt(buffer.count)) == buffer.count ? 1 : 0
                }
            }
        }
    }

    /// An `EC_POINT` that is wiped when it is freed.
    @safe private struct Point: ~Copyable {
        let handle: OpaquePointer

        init(owning handle: OpaquePointer) { unsafe self.handle = unsafe handle }

        deinit { unsafe EC_POINT_clear_free(handle) }
    }
}
