"""The words of the stories: characters, objects, places, names; the class of a word decides its verbs.

Words in `UNSEEN_*` never occur in training text; evaluation asks for them: are words copied, or recalled?
"""

CHARACTERS = {
    "land": """fox bear wolf rabbit hare mouse rat hedgehog badger squirrel deer moose elk cat kitten dog
        puppy cow calf goat sheep lamb pig piglet horse pony donkey mule camel llama lion tiger leopard
        panther cheetah elephant giraffe zebra rhino monkey gorilla panda koala kangaroo raccoon skunk
        porcupine mole weasel hamster lizard snake tortoise snail beetle ant spider cricket caterpillar
        chipmunk bison antelope buffalo sloth lemur dinosaur hound puma lynx jaguar bull cub worm
        grasshopper husky poodle meerkat boar stag foal wombat chameleon gecko iguana scorpion mammoth
        anteater guinea_pig polar_bear""",
    "bird": """owl crow raven sparrow robin wren swallow hen rooster chick duck goose swan eagle hawk
        falcon parrot pigeon dove peacock turkey stork heron woodpecker finch magpie canary bat bee
        butterfly moth dragonfly firefly ladybug crane lark cuckoo kingfisher vulture mosquito wasp
        nightingale blackbird cockatoo hummingbird snowy_owl""",
    "water": """frog toad turtle otter beaver seal whale dolphin crab octopus penguin pelican seagull
        crocodile hippo newt duckling fish shark starfish seahorse squid salmon jellyfish goldfish
        alligator salamander""",
    "person": """girl boy baker farmer sailor fisherman king queen prince princess knight wizard witch
        painter tailor shepherd miller carpenter gardener teacher doctor nurse cook captain pirate dancer
        singer poet clockmaker shoemaker blacksmith weaver potter woodcutter hunter merchant juggler clown
        inventor pilot driver grandmother grandfather child twin student soldier librarian musician
        beekeeper astronaut detective man woman mother father brother sister uncle aunt mayor judge waiter
        bus_driver firefighter explorer scientist engineer artist writer skater swimmer runner ninja
        cowboy viking gladiator baby neighbor stranger traveler maid duke duchess emperor jeweler
        lumberjack milkman policeman magician acrobat""",
    "wonder": """dragon robot giant fairy elf dwarf troll goblin unicorn ghost mermaid snowman scarecrow
        monster gnome genie phoenix griffin alien zombie werewolf ogre pixie centaur sphinx sea_monster
        snow_queen angel spirit""",
}

OBJECTS = {
    "light": """lantern lamp candle torch candlestick chandelier matchbox flashlight headlamp night_light""",
    "music": """drum flute fiddle violin guitar harp trumpet horn bell whistle piano banjo tambourine
        accordion harmonica ukulele music_box radio gong triangle xylophone clarinet""",
    "food": """apple pear plum peach cherry lemon orange banana melon pumpkin carrot potato onion cabbage
        turnip mushroom pie cake cookie biscuit pancake sandwich muffin pudding pretzel tart cheese
        coconut strawberry sausage walnut pizza burger noodle taco waffle donut brownie omelette pea bean
        chestnut mango fig grape birthday_cake candy chocolate honeycomb tomato cucumber avocado loaf""",
    "toy": """kite ball doll puppet marble swing hoop puzzle balloon block skateboard trampoline slingshot
        boomerang teddy_bear rocking_horse toy_car football basketball frisbee rattle seesaw game pinwheel
        paper_plane toy_train rubber_duck""",
    "clothes": """hat cap scarf coat cloak ring crown necklace bracelet shoe boot sock glove mitten
        sweater jacket apron belt button ribbon mask dress shirt vest helmet slipper wig bow_tie raincoat
        jewel brooch veil robe tiara zipper""",
    "tool": """hammer spade shovel rope ladder needle broom brush paintbrush axe hook wheel net spoon fork
        whisk rake pump magnet compass telescope fan crowbar lever wrench pulley anchor pencil pen crayon
        screwdriver drill nail knife sickle fishing_rod computer phone camera tool_box magnifying_glass
        battery""",
    "container": """basket box jar teapot cup mug bowl bottle bucket bag sack barrel chest pot kettle pan
        plate tray vase suitcase purse backpack jug crate wallet lunch_box flowerpot thermos tin envelope
        treasure_chest watering_can""",
    "book": """book map letter picture diary notebook newspaper card poem painting scroll photograph
        recipe ticket postcard calendar riddle dictionary comic magazine song_book drawing photo sign
        stamp treasure_map story_book secret_note""",
    "ride": """boat cart bicycle sled wagon canoe raft ship train bus truck tractor scooter carriage
        rocket airplane submarine sleigh rowboat spaceship helicopter hot_air_balloon bike car van ferry
        tram motorbike unicycle pirate_ship sailboat jeep""",
    "nature": """shell stone feather leaf acorn flower rose seed pebble pearl snowflake daisy tulip
        sunflower pinecone diamond crystal egg tree bush log stick nest clover berry cactus branch rock
        seashell lily violet orchid bone fossil snowball icicle bubble golden_egg ruby emerald gem
        sapphire vine puddle""",
    "home": """chair clock mirror blanket pillow table door window bed carpet curtain umbrella key lock
        bench desk sofa stove bathtub sponge towel comb cushion hammock tent gate fence bridge armchair
        bookshelf cradle drawer rug oven fridge television alarm_clock bath mailbox doorbell wardrobe
        picture_frame stool rocking_chair toothbrush""",
    "magic": """wand potion amulet cauldron charm talisman medal trophy treasure hourglass coin statue
        machine flag sword shield crystal_ball magic_carpet magic_lamp spell magic_mirror time_machine bow
        golden_key arrow dragon_scale magic_wand golden_apple""",
    "sky": """moon star sun cloud rainbow comet planet""",
    "place": """house castle tower cottage hut barn palace treehouse igloo windmill cave cabin temple
        lighthouse shop bakery inn school museum library farm greenhouse garden zoo circus haunted_house
        sandcastle""",
}

UNSEEN_CHARACTERS = """ferret walrus yak flamingo mongoose gazelle jackal ostrich tapir lobster plumber
    dentist barber postman florist vampire cyclops jester butcher toucan""".split()
UNSEEN_OBJECTS = """trombone thimble microscope hatbox parasol doughnut pineapple mitre radish wheelbarrow
    cello locket sandal padlock typewriter snowglobe gondola corkscrew garland teacup saxophone harpoon
    pendulum handkerchief lollipop binoculars kettledrum moccasin tapestry jigsaw""".split()

NAMES = {
    "he": """Pip Tom Ben Max Sam Leo Finn Otto Hugo Jack Milo Oscar Toby Felix Barney Rufus Gus Theo Bruno
        Casper Dexter Ernie Fergus Harvey Igor Jasper Kit Luca Monty Ned Orson Percy Quentin Ralph Silas
        Titus Walter Ziggy Tim Billy Bob Danny Jim Joe Mike Nick Peter Paul Robin Simon Ted Alex Adam
        Daniel David Ethan Noah Liam Lucas Mason Logan James John Andy Charlie Albert Bertie Cosmo Duncan
        Elmer Frank George Henry Ivan Jonas Karl Louis""",
    "she": """Lily Mia Rosie Daisy Ella Nora Ruby Molly Tilly Clara Hazel Ivy Poppy Willow Luna Bella
        Mabel Nell Olive Pearl Wanda Sadie Tess Violet Zoe Sue Sara Emma Amy Jane Jill Kim Lisa Mary Sally
        Susie Olivia Ava Sophia Chloe Grace Alice Emily Lucia Maria Ellie Fiona Gwen Anna Betty Cora Dora
        Edith Flora Greta Hilda Iris Julia Kate Lucy Martha Nina Opal Penny Queenie Rita Sophie Thea
        Ursula Vera Winnie Yara Zelda""",
}

UNSEEN_NAMES = {
    "he": """Wilbur Basil Cedric Horace Linus Ambrose Gideon Rupert Dmitri Kenji Omar Rafael Stanley Virgil
        Amir Boris Tobias Magnus Enzo Jerome""",
    "she": """Agnes Beatrix Cordelia Imogen Priya Rosalind Sybil Tabitha Yasmin Bronwyn Freya Ingrid Leila
        Matilda Noor Petra Saskia Thandi Ulla Estelle""",
}

PLACES = {
    "land": """in the forest|at the edge of the woods|in a quiet valley|on a green hill|
        beside the old mill|near the meadow|on a small farm|in a sunny garden|under a tall oak tree|
        at the foot of a mountain|in a field of wheat|in a snowy land|behind a red barn|
        in the deep jungle|on the wide plain|in an apple orchard|by a winding road|in a hollow log|
        in a dusty desert|at the end of a lane""",
    "bird": """in the tallest tree|on a mossy roof|in the orchard|on a rocky cliff|in the old bell tower|
        at the edge of the woods|in a sunny garden|near the meadow|in a hollow tree|above the valley|
        in a little birdhouse|on a green hill""",
    "water": """by the river|at the edge of a pond|near the sea|on a sandy beach|beside a clear lake|
        on a small island|by a babbling stream|in a quiet bay|under a wooden pier|among the reeds""",
    "person": """in a little village|in a busy town|in a cottage by the woods|at the end of a long street|
        in a house on a hill|beside the harbor|near the market square|in a tiny room above a shop|
        on a small farm|in a big city|in a castle with tall towers|by the sea|in a valley full of flowers|
        next to the old mill""",
    "wonder": """in a cave|in a far-off kingdom|at the top of a mountain|in an enchanted forest|
        beyond the hills|in a castle with tall towers|on a hidden island|in a misty valley|
        under an old stone bridge|in the land of snow|behind a waterfall|in a forgotten garden""",
}

TRAITS = """brave shy curious clever kind lonely cheerful gentle quiet proud lazy busy grumpy careful
    stubborn merry hungry sleepy honest patient silly wise young old little tiny tired playful polite
    bold""".split()

COLORS = "red blue green yellow golden silver purple white black brown orange pink".split()


def words(table):
    """The words of a table by class, as [(word, class)] in a fixed order."""
    return [(word.replace("_", " "), kind) for kind, text in table.items() for word in text.split()]
