import BatonSecurity
import BatonStore

/// A store can encrypt its pages with a key for pages.
extension PageKey: PageCipher {}
