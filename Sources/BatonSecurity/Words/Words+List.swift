extension Words {
    /// All words, in alphabetical order; a word's place is its number, and is part of the protocol.
    ///
    /// They were chosen so that the first three letters tell each from all others, no two sound alike, and it takes two
    /// slips to make one of another. Tests hold them to that.
    package static let all: [String] = text.split(whereSeparator: \.isWhitespace).map(String.init)

    private static let text = """
        abacus above absorb academy accent acorn across actor adapt adjust admire adult advice agency agile
        agree ahead airport aisle alarm album alert algae alive almond alpine amber ample amuse anchor
        angle answer anvil apron aqua arctic arena argue aroma array artist ash aspen asset athlete atlas
        atom atrium aunt autumn avenue azure bagel baker balcony bamboo banner barn basil bath bay beacon
        beetle begin berry better beyond bicycle birch bison blazer blend blossom board bobcat bold bonsai
        book borrow bouquet box branch bread brick broom brush bucket budget buffalo bulb bundle button
        buyer cabin cactus cadet calf camera canal capsule carpet castle cement center cereal change cherry
        chorus cider cinema circle city civic clean cliff cloud coach cobalt collar comet cookie coral
        cosmic cotton cougar cow coyote cradle crew crisp crystal cube curve custom cycle daisy dance
        dapper daring dazzle delta design device dew diamond diesel direct disk diver doctor dolphin domain
        donkey door double dove drama dress drift drum duck dune dust eagle early east echo eclipse editor
        effort elastic elbow elm emerald empty enamel energy engine enjoy epic escape essay estate event
        expert extra fabric falcon family farm figure fire flavor fleece flint flock flute fly focus folder
        forest frame fresh friend frog fruit fuel galaxy garage gather gecko gentle giant gift ginger
        giraffe give glass glider glow glue gnome goblet goggles gondola gorilla gourd grape green grid
        grocer guest gull habit hammer handle happy hatch hawk hazel heart helmet hill history hollow
        honest hope horn hotel house hover huddle hundred iceberg icing igloo iguana image index input
        insect invite iris iron island ivory ivy jacket jade jaguar javelin jazz jeans jelly jewel jigsaw
        jogger joke jolt journey joy judge jungle keeper kelp ketchup key kick kiosk kitchen kiwi knee knit
        koala ladder lagoon lamb land laugh lava layer league legend lemon leopard lesson level light lily
        linen lion lizard llama lobby loop lotus lullaby lunar magic mango marble mask meadow melody memory
        milk mirror mist money morning mosaic movie much mug mule museum napkin native navy nectar nest
        nickel novel nutmeg nylon oak oasis oatmeal octopus office opera optic orange orbit orchid order
        organ origin ostrich oval oven owl owner oxygen oyster painter palm park pasta peach pebble pelican
        pencil pepper petal phone piano pickle piglet pilot pine pirate pixel pizza plum polar poppy
        pretzel prism puffin pupil purple puzzle pyramid quail quilt raccoon radio rafter raisin ramp
        random rattle raven record redwood rescue reward ridge robin rocket root round saddle safari salad
        sandal saturn sauce scarf school science scout season secret shadow shelf ship shuttle signal
        silver sketch sky slope snow soap soccer sphere sponge step story straw style sugar summer sunny
        super swan system tablet tall tape tavern tent thunder ticket tiger timber title today tomato torch
        tower train tree trophy truck tulip tunnel union urban valve vanilla vapor vault vector velvet
        venus verse video view village vinegar violet vivid volume waffle wagon waltz water wave wax web
        weekend welcome wheat willow winner wisdom wolf wonder world wrist yacht yard yellow yoga young
        zebra zero zigzag zinc
        """
}
