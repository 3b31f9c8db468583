// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Notes",
    dependencies: [
        // An app of yours names the address of the repository and a version instead.
        .package(name: "baton", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "Notes",
            dependencies: [
                .product(name: "AppIntents", package: "baton"),
                .product(name: "CoreSpotlight", package: "baton"),
            ],
            path: "Sources")
    ],
    swiftLanguageModes: [.v6]
)
