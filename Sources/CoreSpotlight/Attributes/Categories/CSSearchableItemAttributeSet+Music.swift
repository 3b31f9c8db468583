import BatonCore
public import Foundation

// Attributes of music.

extension CSSearchableItemAttributeSet {
    /// The audio sample rate in hertz.
    public var audioSampleRate: NSNumber? {
        get { self[.audioSampleRate] }
        set { self[.audioSampleRate] = newValue }
    }

    /// The number of audio channels.
    public var audioChannelCount: NSNumber? {
        get { self[.audioChannelCount] }
        set { self[.audioChannelCount] = newValue }
    }

    /// The tempo in beats per minute.
    public var tempo: NSNumber? {
        get { self[.tempo] }
        set { self[.tempo] = newValue }
    }

    /// The number of the track on its album.
    public var audioTrackNumber: NSNumber? {
        get { self[.audioTrackNumber] }
        set { self[.audioTrackNumber] = newValue }
    }

    /// Whether a MIDI sequence is made for General MIDI: 0 or 1.
    public var generalMIDISequence: NSNumber? {
        get { self[.generalMIDISequence] }
        set { self[.generalMIDISequence] = newValue }
    }

    /// The musical key, such as C major.
    public var keySignature: String? {
        get { self[.keySignature] }
        set { self[.keySignature] = newValue }
    }

    /// The time signature of the music, such as 3/4.
    public var timeSignature: String? {
        get { self[.timeSignature] }
        set { self[.timeSignature] = newValue }
    }

    /// The app that encoded the audio.
    public var audioEncodingApplication: String? {
        get { self[.audioEncodingApplication] }
        set { self[.audioEncodingApplication] = newValue }
    }

    /// The composer of the music.
    public var composer: String? {
        get { self[.composer] }
        set { self[.composer] = newValue }
    }

    /// The author of the lyrics.
    public var lyricist: String? {
        get { self[.lyricist] }
        set { self[.lyricist] = newValue }
    }

    /// The title of the album.
    public var album: String? {
        get { self[.album] }
        set { self[.album] = newValue }
    }

    /// The artist of the music, or of a picture.
    public var artist: String? {
        get { self[.artist] }
        set { self[.artist] = newValue }
    }

    /// The genre of the music.
    public var musicalGenre: String? {
        get { self[.musicalGenre] }
        set { self[.musicalGenre] = newValue }
    }

    /// The category of the musical instrument.
    public var musicalInstrumentCategory: String? {
        get { self[.musicalInstrumentCategory] }
        set { self[.musicalInstrumentCategory] = newValue }
    }

    /// The name of the musical instrument.
    public var musicalInstrumentName: String? {
        get { self[.musicalInstrumentName] }
        set { self[.musicalInstrumentName] = newValue }
    }

    /// The time of the original recording.
    public var recordingDate: Date? {
        get { self[.recordingDate] }
        set { self[.recordingDate] = newValue }
    }
}
