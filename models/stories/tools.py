"""Tools that a conversation may offer: made anew each time, so that their definitions have to be read.

A family is a thing that tools do. Each line: names | descriptions | parameters | what users say | answers. [0] and
[1] are the arguments, [r] the result; a parameter is names:values, with the values that VALUES can draw.
"""

import json

from stories.invention import invented_word

FAMILIES = """
roll_dice, throw_dice, dice, roll_die | Rolls a die., Throws a die with some sides. | sides,faces,n:number | Roll a die with [0] sides., Throw a [0]-sided die., Please roll a die that has [0] sides. | You rolled a [r]., The die shows [r]. | number
look_up, define, dictionary, meaning | Looks up what a word means., Explains a word. | word,term,query:word | What does the word [0] mean?, Look up [0]., Look up the word [0] for me. | [0] means: [r]., The dictionary says: [r]. | phrase
remember, save_name, keep_name, store | Remembers a name., Saves a name for later. | name,value,text:name | Remember the name [0]., Save the name [0]., Please keep the name [0] for later. | I will remember [0]., The name [0] is saved. | ok
timer, set_timer, start_timer, countdown | Starts a timer., Sets a timer in minutes. | minutes,time,duration:number | Set a timer for [0] minutes., Start a timer of [0] minutes., Wake me in [0] minutes. | The timer is set to [0] minutes., Done: [0] minutes. | ok
weather, get_weather, forecast | Tells the weather at a place., Gets the weather. | place,city,where:name | What is the weather in [0]?, Will it rain in [0]?, Tell me the weather in [0]. | In [0] it is [r]., The weather in [0]: [r]. | weather
draw, draw_picture, paint, make_image | Draws a picture., Paints something. | subject,what,thing:word | Draw a [0]., Paint a picture of a [0]., Make a picture of a [0]. | Here is your picture of a [0]., The picture of a [0] is done. | ok
save_story, keep_story, store_story, write_file | Saves the story under a title., Stores a story. | title,name,file:title | Save the story as [0]., Store the story under the title [0]., Keep this story as [0]. | The story is saved as [0]., Saved: [0]. | ok
play_sound, sound, make_noise | Plays the sound of something., Makes a sound. | sound,of,name:word | Play the sound of a [0]., Make the sound of a [0]., Let me hear a [0]. | You hear a [0]., That was the sound of a [0]. | ok
send_letter, send_message, write_to, mail | Sends a message to somebody., Sends a letter. | to,name,recipient:name ; text,message,body:word | Send [0] the message [1]., Write [1] to [0]., Send a letter to [0] that says [1]. | The message went to [0]., I sent [1] to [0]. | ok
add, sum, plus, add_numbers | Adds two numbers., Gives the sum of two numbers. | a,x,first:number ; b,y,second:number | What is [0] plus [1]?, Add [0] and [1]., How much is [0] and [1]? | [0] plus [1] is [r]., The sum is [r]. | number
multiply, times, product | Multiplies two numbers., Gives the product of two numbers. | a,x,first:number ; b,y,second:number | What is [0] times [1]?, Multiply [0] by [1]. | [0] times [1] is [r]., The product is [r]. | number
rhyme, find_rhyme, rhymes_with | Finds a rhyme for a word., Gives a word that rhymes. | word,with,text:word | What rhymes with [0]?, Find a rhyme for [0]., Give me a rhyme for [0]. | [r] rhymes with [0]., A rhyme for [0] is [r]. | word
random_name, pick_name, name_for, invent_name | Finds a name for a character., Invents a name. | character,for,kind:word | Find a name for the [0]., What shall I call my [0]?, Invent a name for a [0]. | Call the [0] [r]., [r] is a good name for a [0]. | name
distance, how_far, measure | Measures how far a place is., Tells the distance to a place. | place,to,target:name | How far is it to [0]?, How far away is [0]?, Measure the way to [0]. | It is [r] miles to [0]., [0] is [r] miles away. | number
find_item, where_is, locate, search_room | Finds where a thing is., Looks for a thing in the house. | item,thing,object:word | Where did I leave my [0]?, Find my [0]., Look for my [0]. | Your [0] is in the [r]., I found the [0] in the [r]. | room
count_items, how_many, count | Counts how many of a thing there are., Counts things in the box. | item,thing,what:word | How many pieces of [0] are in the box?, Count the [0]., Count every [0] in the box. | There are [r]., I counted [r]. | number
price, get_price, cost, price_of | Tells what a thing costs., Gets the price of something. | item,thing,product:word | What does a [0] cost?, How much is a [0]?, Tell me the price of a [0]. | A [0] costs [r] coins., It costs [r] coins. | number
buy, order, purchase | Buys some pieces of a thing., Orders things. | item,thing,product:word ; count,number,amount:number | Buy [1] pieces of [0]., Order [0] for me and take [1] of them., Get me [1] of the thing called [0]. | I ordered [1] of [0]., Done: [1] of [0]. | ok
birthday, get_birthday, born | Tells when somebody was born., Gets a birthday. | name,person,who:name | When is the birthday of [0]?, When was [0] born?, Tell me when [0] has a birthday. | The birthday of [0] is in [r]., [0] was born in [r]. | month
call, phone, ring_up | Calls somebody on the phone., Rings somebody up. | name,person,who:name | Call [0]., Ring up [0]., Please phone [0]. | I am calling [0]., [0] is on the phone. | ok
open_door, open, unlock | Opens a door., Unlocks a door with a number. | door,number,id:number | Open door [0]., Open the door with the number [0]., Unlock door [0]. | Door [0] is open., The door is open. | ok
light, set_light, lamp, brightness | Sets how bright the lamp is., Changes the light. | level,brightness,value:number | Set the lamp to [0]., Make the light [0] percent., Change the brightness to [0]. | The lamp is at [0]., The light is now [0]. | ok
sing_song, play_song, play_music, music | Plays a song., Plays music by its title. | title,song,name:title | Play the song [0]., I want to hear [0]., Put on the song [0]. | Now you hear [0]., The song [0] is playing. | ok
read_book, get_book, fetch_book | Gets a book by its title., Fetches a book. | title,book,name:title | Get the book [0]., Fetch me the book [0]., I want to read [0]. | Here is the book [0]., The book [0] is on the table. | ok
feed_pet, feed, give_food | Gives food to an animal., Feeds an animal. | animal,pet,who:word ; food,what,meal:word | Feed the [0] with a [1]., Give the [0] a [1] to eat. | The [0] ate the [1]., The [0] is fed. | ok
divide, quotient, share_out | Divides one number by another., Gives the quotient of two numbers. | a,x,number:number ; b,y,by:number | Divide [0] by [1]., How often does [1] go into [0]?, Share [0] apples among [1] people. | The quotient is [r]., It makes [r]. | number
square, square_of, power | Squares a number., Multiplies a number by itself. | n,x,number:number | What is the square of [0]?, Square [0]., What is [0] times itself? | The square is [r]., It is [r]. | number
count_letters, letters, word_length, length | Counts the letters of a word., Tells how long a word is. | word,text,of:word | How many letters has the word [0]?, Count the letters of [0]., How long is the word [0]? | It has [r] letters., [r] letters. | number
bake, bake_cake, oven | Bakes something., Bakes a cake in the oven. | cake,what,recipe:word ; pieces,count,number:number | Bake [1] pieces of [0]., Bake a cake like a [0] and cut it into [1] pieces. | The cake is in the oven., [1] pieces are ready. | ok
take_photo, photo, snapshot, camera | Takes a photo., Takes a picture with the camera. | of,subject,person:name | Take a photo of [0]., Make a snapshot of [0]., I want a photo of [0]. | Here is the photo of [0]., Smile, [0]! | ok
find_path, route, path_to, directions | Finds the path to a place., Shows the way. | to,goal,place:name ; from,start,begin:name | Find the path from [1] to [0]., Which way goes from [1] to [0]?, Show me the way to [0] from [1]. | The path goes through the [r]., Go through the [r]. | room
ring_bell, bell, ring | Rings a bell some times., Rings the big bell. | times,count,strokes:number | Ring the bell [0] times., Let the bell ring [0] times., I want to hear the bell [0] times. | The bell rang [0] times., Done. | ok
mix_potion, potion, brew, cauldron | Brews a potion., Mixes two things in the cauldron. | first,a,base:word ; second,b,extra:word | Mix a [0] with a [1]., Brew a potion of [0] and [1]., Put a [0] and a [1] into the cauldron. | The potion of [0] and [1] is ready., It smells of [0]. | ok
lock, lock_box, safe, close_box | Locks the box with a number., Closes the safe. | code,number,pin:number | Lock the box with [0]., Close the safe with the number [0]., Lock it with the code [0]. | The box is locked., Locked with [0]. | ok
guess_number, guess, is_it | Guesses the number., Takes a guess at the secret number. | guess,number,n:number | Is it [0]?, My guess is [0]., I guess [0]. | The answer to [0]: [r]., [r]. | number
lend_book, library, borrow_book | Lends a book to somebody., Gives out a book of the library. | title,book,which:title ; to,reader,name:name | Lend [0] to [1]., Let [1] borrow [0]., Give the book [0] to [1]. | [1] has [0] now., Lent: [0]. | ok
greet, say_hello, welcome | Greets somebody., Says hello to a guest. | name,guest,who:name | Greet [0]., Say hello to [0]., Welcome [0] at the door. | I greeted [0]., [0] says hello. | ok
tell_fortune, fortune, future | Tells the future of somebody., Looks into the crystal ball. | for,name,person:name | Tell the fortune of [0]., What will become of [0]?, Look into the future of [0]. | [0] will find [r]., The ball shows [r]. | phrase
find_color, color_of, get_color | Finds what color a thing has., Tells the color of something. | thing,item,object:word | What color does a [0] have?, Find the color of the [0]., Tell me the color of a [0]. | A [0] is [r]., The color is [r]. | color
repair, fix, mend_it, workshop | Repairs a broken thing., Takes a thing to the workshop. | thing,item,broken:word | Repair my [0]., My [0] is broken and must be fixed., Fix the [0]. | The [0] is as good as new., The [0] is repaired. | ok
knit, knit_scarf, yarn | Knits something for somebody., Knits with warm yarn. | for,name,who:name ; what,piece,item:word | Knit a [1] for [0]., Make [0] a woolen [1]. | The [1] for [0] is done., [0] will like the [1]. | ok
vote, vote_for, choose_winner | Votes for somebody., Gives a vote in the game. | for,candidate,name:name | Vote for [0]., I vote for [0]., Give my vote to [0]. | You voted for [0]., [0] has your vote now. | ok
sleep_time, bedtime, set_alarm, alarm | Sets the alarm clock., Sets an hour to get up. | hour,time,at:number | Set the alarm to [0]., I must get up at [0]., Let the alarm ring at [0]. | The alarm rings at [0]., Sleep well until [0]. | ok
weigh, scale, weight_of, get_weight | Weighs a thing., Tells how heavy something is. | thing,item,what:word | How heavy is a [0]?, Weigh the [0]., What is the weight of the [0]? | The [0] weighs [r] pounds., It weighs [r] pounds. | number
opposite, antonym, contrary | Finds the opposite of a word., Gives the opposite. | word,of,term:word | What is the opposite of [0]?, Find the opposite of [0]., Give me the opposite of the word [0]. | The opposite is [r]., [r] is the opposite of [0]. | word
delete_note, delete, forget_it, remove | Deletes a note., Removes what was saved. | title,note,name:title | Delete the note [0]., Throw away the note [0]., Remove [0] from my notes. | The note is gone., [0] is deleted. | ok
write_note, note, make_note, memo | Writes a note., Keeps a short note. | text,note,content:word | Write a note that says [0]., Note down [0]., Make a note: [0]. | I wrote it down., The note says [0]. | ok
travel_time, how_long, duration_to | Tells how long the way to a place takes., Gives the hours to a place. | to,place,city:name | How long does it take to [0]?, How many hours is it to [0]?, When would I be in [0]? | It takes [r] hours., You need [r] hours to [0]. | number
throw_ball, throw, toss_ball | Throws the ball to somebody., Plays ball. | to,player,name:name | Throw the ball to [0]., Give the ball to [0]., [0] wants the ball. | [0] has the ball., The ball goes to [0]. | ok
age, how_old, get_age | Tells how old somebody is., Gets an age. | name,person,who:name | How old is [0]?, Tell me the age of [0]. | [0] is [r] years old., The age of [0] is [r]. | number
hobby, get_hobby, free_time | Tells what somebody does for fun., Gets the hobby of a person. | name,person,who:name | What is the hobby of [0]?, What does [0] do for fun?, How does [0] spend a free day? | The hobby of [0] is the [r]., It is the [r]. | word
job, job_of, profession | Tells what somebody does for a living., Gets the job of a person. | name,person,who:name | What is the job of [0]?, What does [0] do for a living?, What does [0] work as? | [0] is a [r]., The job of [0]: [r]. | word
pet_of, which_pet, animal_of | Tells what pet somebody has., Gets the animal of a person. | name,owner,who:name | What pet does [0] have?, Which animal lives with [0]?, What is the pet of [0]? | [0] has a [r]., It is a [r]. | word
wish_list, gift_for, present | Finds a gift for somebody., Tells what a person wishes for. | name,person,for:name | What shall I give to [0]?, What does [0] wish for?, Find a gift for [0]. | [0] wants a [r]., Give [0] a [r]. | word
fear, afraid_of, scares | Tells what somebody is afraid of., Knows the fears of people. | name,person,who:name | What is [0] afraid of?, What scares [0]?, Which thing frightens [0] the most? | [0] is afraid of the [r]., It is the [r]. | word
friend_of, best_friend, friends | Tells who the friend of somebody is., Finds a friend of a person. | name,person,of:name | Who is the best friend of [0]?, Who likes [0]?, Name a friend of [0]. | The friend of [0] is [r]., It is [r]. | name
address, home_of, find_home | Tells where somebody lives., Gets an address. | name,person,who:name | Where does [0] live?, What is the address of [0]?, In which street is the house of [0]? | [0] lives in [r]., The address is [r]. | name
shoe_size, shoes, size_of | Tells the size of somebody's shoes., Gets a shoe size. | name,person,who:name | What size are the shoes of [0]?, How big are the feet of [0]?, Which shoes fit [0]? | [0] wears size [r]., The size is [r]. | number
height, how_tall, measure_person | Tells how tall somebody is., Measures a person. | name,person,who:name | How tall is [0]?, What is the height of [0]?, Measure [0]. | [0] is [r] inches tall., It is [r] inches. | number
reverse, backwards, mirror_word | Writes a word backwards., Turns a word around. | word,text,what:word | Write [0] backwards., Turn the word [0] around., What is [0] from the end to the beginning? | Backwards it is [r]., It is [r]. | word
plural, many_of, more_than_one | Gives the plural of a word., Tells what many of a thing are called. | word,noun,thing:word | What is the plural of [0]?, One [0] and another are two what?, Give me the plural of the word [0]. | The plural is [r]., You say [r]. | word
synonym, similar, same_meaning | Finds a word that means the same., Gives another word for something. | word,term,of:word | Which word means the same as [0]?, Find another word for [0]., How else can I say [0]? | You can say [r]., Another word is [r]. | word
pirate, as_pirate, pirate_word | Says a word as pirates do., Gives the pirate's word for a thing. | word,thing,text:word | How do pirates say [0]?, Say [0] like a pirate., What would a pirate call a [0]? | Pirates say [r]., It is [r]. | word
larger, maximum, bigger_number | Tells the larger of two numbers., Compares numbers. | a,x,first:number ; b,y,second:number | Which is more, [0] or [1]?, Compare [0] with [1]., Is [0] larger or [1]? | The larger one is [r]., It is [r]. | number
between, middle, average | Finds the middle of two numbers., Gives the average. | a,low,first:number ; b,high,second:number | What lies between [0] and [1]?, What is the middle of [0] and [1]?, Give me the average of [0] and [1]. | The middle is [r]., It is [r]. | number
half, halve, cut_number | Gives half of a number., Divides a number by two. | n,x,number:number | What is half of [0]?, Halve [0]., How much is [0] divided by two? | Half of it is [r]., It is [r]. | number
double, twice, two_times | Gives two times a number., Doubles a number. | n,x,number:number | Double [0]., What is twice [0]?, How much is [0] and [0] again? | The double is [r]., It is [r]. | number
to_miles, convert, kilometers | Turns kilometers into miles., Converts a length. | kilometers,length,n:number | How many miles are [0] kilometers?, Convert [0] kilometers., What are [0] kilometers in miles? | That is [r] miles., [r] miles. | number
draw_card, cards, deal | Draws some cards., Deals playing cards. | cards,count,n:number | Draw [0] cards., Deal me [0] cards., I take [0] cards from the pack. | The best card is [r]., You have the [r]. | number
spin_wheel, wheel, wheel_of_luck | Spins the wheel of luck., Turns a wheel some times. | times,turns,count:number | Spin the wheel [0] times., Turn the wheel of luck [0] times., Try my luck with [0] turns. | The wheel shows [r]., It stops at [r]. | number
pick_number, random, random_number | Picks a number by chance., Chooses any number up to a limit. | limit,max,up_to:number | Pick a number up to [0]., Choose a number between 1 and [0]., Any number below [0], please. | I picked [r]., The number is [r]. | number
wash, clean, scrub | Washes a dirty thing., Makes a thing clean. | thing,item,what:word | Wash the [0]., The [0] is dirty., Make the [0] clean again. | The [0] is clean., The [0] shines. | ok
dry, dry_off, towel | Dries a wet thing., Takes the water from a thing. | thing,item,what:word | Dry the [0]., The [0] got wet in the rain., Take a towel for the [0]. | The [0] is dry., Now the [0] is dry. | ok
heat, warm_up, stove | Heats something., Makes a cold thing warm. | thing,item,what:word | Heat the [0]., The [0] is too cold., Make the [0] warm. | The [0] is warm now., The [0] is hot. | ok
cool, fridge, chill | Cools something., Puts a thing in the fridge. | thing,item,what:word | Cool the [0]., Put the [0] in the fridge., The [0] is too hot for me. | The [0] is cold now., The [0] is in the fridge. | ok
sow, plant_seeds, garden | Sows some seeds., Puts seeds into the ground. | seeds,count,number:number | Sow [0] seeds., Put [0] seeds into the ground., I have [0] seeds for the garden. | [0] seeds are in the ground., Done: [0] seeds. | ok
harvest, pick_apples, gather | Picks apples from the tree., Brings in some fruit. | apples,count,number:number | Pick [0] apples., Bring in [0] apples from the tree., I need [0] apples for a pie. | The basket has [0] apples., Here are [0] apples. | ok
pay, give_money, pay_to | Pays somebody., Gives money to a person. | coins,amount,sum:number ; to,name,who:name | Pay [0] coins to [1]., Give [1] [0] coins., [1] gets [0] coins from me. | [1] has [0] coins now., Paid: [0] coins. | ok
hire, employ, give_job | Gives somebody a job., Hires a person. | name,who,person:name ; job,as,work:word | Hire [0] as a [1]., Give [0] the job of a [1]., [0] should work as a [1]. | [0] is a [1] now., [0] starts tomorrow. | ok
visit, go_see, drop_by | Visits somebody., Goes to see a friend. | name,friend,who:name | Visit [0]., I want to see [0]., Let us go to the house of [0]. | We will see [0]., [0] is at home. | ok
wake, wake_up, get_up | Wakes somebody., Gets a person out of bed. | name,sleeper,who:name | Wake [0]., [0] must get out of bed., [0] has slept long enough. | [0] is awake., [0] is out of bed. | ok
hide, conceal, hide_in | Hides a thing where nobody looks., Puts one thing under another. | thing,item,what:word ; under,place,where:word | Hide the [0] under the [1]., Put the [0] where the [1] covers it., Nobody may see the [0], so use the [1]. | The [0] is hidden., Nobody will look under the [1]. | ok
deliver, bring_to, carry_to | Brings a thing to somebody., Carries things to people. | thing,item,what:word ; to,name,who:name | Bring the [0] to [1]., [1] needs the [0]., Carry the [0] to the house of [1]. | [1] has the [0]., The [0] is with [1]. | ok
trade, swap, exchange | Trades one thing for another., Swaps two things. | give,old,mine:word ; get,new,want:word | Trade a [0] for a [1]., Give away the [0] and get a [1]., I want a [1] and can give a [0]. | You have a [1] now., The [0] is gone. | ok
sell, market, sell_for | Sells a thing for some coins., Puts a thing on the market. | thing,item,what:word ; coins,price,for:number | Sell the [0] for [1] coins., I want [1] coins for the [0]., Put the [0] on the market at [1]. | The [0] is sold., You got [1] coins. | ok
wrap, wrap_gift, gift_paper | Wraps a gift for somebody., Puts paper around a thing. | thing,gift,what:word ; for,name,who:name | Wrap the [0] for [1]., Make a present of the [0] for [1]., The [0] is a gift for [1]. | The gift for [1] is ready., The [0] is wrapped. | ok
pack, pack_bag, suitcase | Packs a thing into the bag., Puts something into the suitcase. | thing,item,what:word | Pack the [0]., Put a [0] into my bag., I need a [0] on the way. | The [0] is in the bag., Packed: [0]. | ok
poem, write_poem, verses | Writes a poem about something., Makes verses. | about,topic,thing:word | Write a poem about a [0]., Give me verses about the [0]., I want a poem on the [0]. | Here is the poem about the [0]., The poem is done. | ok
joke, tell_joke, make_laugh | Tells a joke about something., Makes people laugh. | about,topic,thing:word | Tell a joke about a [0]., Make me laugh about a [0]., Do you know a good one about a [0]? | Here is the joke: [r]., The joke is about [r]. | phrase
riddle, ask_riddle, puzzle | Asks a riddle about a thing., Makes a puzzle. | about,thing,answer:word | Ask me a riddle about a [0]., Make a puzzle whose answer is [0]., Let me guess a [0]. | Here it is: [r]., The riddle says: [r]. | phrase
print, copies, printer | Prints some copies., Makes copies of the page. | copies,count,number:number | Print [0] copies., Make [0] copies of the page., I need this page [0] times. | [0] copies are ready., Printed: [0]. | ok
volume, loudness, set_volume | Sets how loud it is., Changes the volume. | level,value,percent:number | Set the volume to [0]., Make it [0] percent loud., Turn the sound up to [0]. | The volume is [0]., It is at [0] now. | ok
heating, set_heating, temperature | Sets how warm the room is., Changes the heating. | degrees,value,level:number | Set the heating to [0]., Make the room [0] degrees warm., I want it to be [0] degrees in here. | The room will be [0] degrees., The heating is at [0]. | ok
channel, switch_channel, television | Switches the television to a channel., Changes what is on the screen. | channel,number,n:number | Switch to channel [0]., Put on channel [0]., What is on channel [0]? I want to see it. | Now you see channel [0]., Channel [0] is on. | ok
elevator, floor, go_up | Takes the elevator to a floor., Moves between the floors. | floor,number,to:number | Take me to floor [0]., Go up to floor [0]., I live on floor [0], so bring me there. | This is floor [0]., You are on floor [0]. | ok
page, turn_page, turn_to | Opens the book at a page., Turns to a page. | page,number,n:number | Turn to page [0]., Open the book at page [0]., Let us read page [0]. | This is page [0]., The book is open at page [0]. | ok
reserve, table, reserve_table | Reserves a table., Keeps a table for some people. | people,guests,count:number ; hour,time,at:number | Reserve a table for [0] people at [1]., We are [0] people and come at [1]., Keep a table for [0] guests at [1]. | The table for [0] is reserved., Come at [1]. | ok
tickets, buy_tickets, train | Buys tickets for the train., Gets some train tickets. | to,city,goal:name ; count,number,how_many:number | Get [1] tickets for the train to [0]., [1] of us take the train to [0]., Buy [1] train tickets to [0]. | You have [1] tickets to [0]., The train to [0] leaves soon. | ok
whereabouts, find_person, person_in | Finds where somebody is right now., Looks for a person in the house. | name,person,who:name | Where is [0] right now?, Find [0] in the house., In which room is [0]? | [0] is in the [r]., Look in the [r]. | room
owner, owner_of, belongs_to | Tells who owns a thing., Finds the owner. | thing,item,object:word | Who owns the [0]?, Whose [0] is that?, Find out who has lost a [0]. | It belongs to [r]., The owner is [r]. | name
inventor, made_by, who_made | Tells who invented a thing., Finds the maker of something. | thing,item,invention:word | Who invented the [0]?, Who made the first [0]?, Tell me the inventor of the [0]. | [r] invented it., It was [r]. | name
material, made_of, stuff | Tells what a thing is made of., Gets the material. | thing,item,object:word | What is a [0] made of?, From what does one make a [0]?, Which material is in a [0]? | It is made of [r]., The material is [r]. | word
diet, eats, food_of | Tells what an animal eats., Knows the food of animals. | animal,who,of:word | What does a [0] eat?, What shall I give a [0] for dinner?, Which food is good for a [0]? | A [0] eats [r]., Give it a [r]. | word
season, best_time, when_to | Tells the best time for something., Knows when a thing can be found. | thing,what,for:word | When is the best time for a [0]?, In which month can I find a [0]?, When should I buy a [0]? | The best time is [r]., In [r]. | month
strength, how_strong, lift | Tells how much somebody can lift., Measures how strong people are. | name,person,who:name | How strong is [0]?, How much can [0] lift?, How many pounds can [0] carry? | [0] can lift [r] pounds., It is [r] pounds. | number
score, points, result_of | Tells how many points somebody has., Gets the score of a player. | player,name,who:name | How many points does [0] have?, What is the score of [0]?, How well did [0] play? | [0] has [r] points., The score is [r]. | number
add_points, give_points, reward | Gives somebody points., Adds to the score of a player. | player,name,who:name ; points,count,number:number | Give [0] [1] points., [0] gets [1] points., Add [1] to the score of [0]. | [0] has [1] points more., Done for [0]. | ok
light_fire, fire, burn | Makes a fire., Burns some logs. | logs,wood,count:number | Make a fire with [0] logs., Burn [0] logs., Put [0] logs on the fire. | The fire burns., [0] logs are on the fire. | ok
jump, jump_rope, hop | Jumps some times., Lets somebody jump. | times,count,jumps:number | Jump [0] times., Let me see [0] jumps., Hop up and down [0] times. | That was [0] times., Done: [0] jumps. | ok
compliment, praise, say_nice | Says something nice to somebody., Praises a person. | to,name,person:name | Say something nice to [0]., Praise [0]., [0] needs a kind word. | I praised [0]., [0] is happy now. | ok
"""
HELD_OUT_FAMILIES = """
flip_coin, toss | Flips some coins., Tosses coins. | coins,count,times:number | Flip [0] coins., Toss a coin [0] times. | You got [r] heads., [r] of them came up heads. | number
translate_word, in_elvish | Translates a word into Elvish. | word,source:word | What is [0] in Elvish?, Translate [0] into Elvish. | [0] in Elvish is [r]., It is [r]. | word
spell, spell_out | Spells a word letter by letter. | word,text:word | Spell the word [0]., How do you spell [0]? | It is spelled [r]., [0] is spelled [r]. | word
invite_guest, invite | Invites somebody to the feast. | guest,name:name | Invite [0] to the feast., Ask [0] to come to the feast. | [0] is invited., [0] will come to the feast. | ok
travel_to, book_trip | Books a trip to a place for some days. | place,city:name ; days,length:number | Book a trip to [0] for [1] days., I want to go to [0] for [1] days. | Your trip to [0] is booked., You will stay [1] days in [0]. | ok
water_plant, water | Waters a plant in the garden. | plant,name:word | Water the [0]., Give the [0] some water. | The [0] has water now., I watered the [0]. | ok
subtract, minus | Takes one number from another. | a,from:number ; b,what:number | What is [0] minus [1]?, Take [1] from [0]. | The rest is [r]., [0] minus [1] is [r]. | number
favorite, likes | Tells what somebody likes best. | name,who:name | What does [0] like best?, What is the favorite thing of [0]? | [0] likes [r] best., The favorite thing of [0] is [r]. | word
"""
NO_TOOL = ["I have no tool for that.", "None of my tools can do that.", "There is no tool for that here."]
ANSWERS = {"weather": "sunny|rainy|cold and windy|foggy|warm|snowing|cloudy|stormy",
           "room": "kitchen|cellar|attic|garden|hall|bedroom|shed",
           "month": "January|March|May|June|July|August|October|December",
           "color": "red|green|blue|yellow|white|black|brown|purple|orange|gray",
           "ok": "ok|done|true|success|saved",
           "phrase": "a small tool|a kind of bird|something to eat|a big house|a very old song|a part of a ship|"
                     "to walk slowly|full of joy|a bright color|a man who sells fish"}
ANSWERS = {kind: text.split("|") for kind, text in ANSWERS.items()}


def split(text, mark):
    return [part.strip() for part in text.split(mark)]


class Family:
    def __init__(self, line):
        names, descriptions, parameters, asks, answers, self.result = split(line, "|")
        self.names, self.descriptions = split(names, ","), split(descriptions, ".,")
        self.parameters = [(split(part.split(":")[0], ","), part.split(":")[1].strip())
                           for part in parameters.split(";")]
        self.asks, self.answers = ([part if part[-1] in ".?" else part + "." for part in
                                    text.replace("?,", "?|").replace(".,", ".|").split("|")]
                                   for text in (asks.strip(), answers.strip()))
        self.asks = [part.strip() for part in self.asks]
        self.answers = [part.strip() for part in self.answers]


OTHER_NAMES = 0.3  # how often a parameter is called something that has to be read in the definition
TRAINED = [Family(line) for line in FAMILIES.strip().splitlines()]
PARAMETER_NAMES = sorted({name for family in TRAINED for names, _ in family.parameters for name in names})
HELD_OUT = [Family(line) for line in HELD_OUT_FAMILIES.strip().splitlines()]


class Tool:
    """One tool of a family as a conversation offers it: its names are settled."""

    def __init__(self, family, rng):
        self.family, self.name = family, rng.choice(family.names)
        self.parameters = []
        for names, kind in family.parameters:
            if rng.random() < OTHER_NAMES:
                names = [rng.choice(PARAMETER_NAMES) if rng.random() < 0.6 else invented_word(rng) for _ in range(3)]
            name = rng.choice([name for name in names if name not in [other for other, _ in self.parameters]])
            self.parameters.append((name, kind))
        properties = {}
        for name, kind in self.parameters:
            properties[name] = {"type": "integer" if kind == "number" else "string"}
            if rng.random() < 0.2:
                properties[name]["description"] = {"number": "A number", "word": "A word", "name": "A name",
                                                   "title": "The title"}[kind]
        self.definition = {"name": self.name, "description": rng.choice(family.descriptions).rstrip(".") + ".",
                           "parameters": {"type": "object", "properties": properties,
                                          "required": [name for name, _ in self.parameters]}}


def value(kind, casting, rng):
    if kind == "number":
        return rng.choice((rng.randint(2, 20), rng.randint(2, 100), rng.randint(10, 999)))
    if kind == "name":
        return casting.character().name
    if kind == "title":
        return f"{rng.choice(('The', 'A', 'My'))} {casting.thing().noun.title()}"
    return rng.choice((casting.thing, casting.character))().noun


def fill(text, values, result=None):
    for index, item in enumerate(values):
        text = text.replace(f"[{index}]", str(item))
    text = text.replace("[r]", str(result))
    return text[0].upper() + text[1:]


class Use:
    """A user's wish that a tool can fulfill, the call, its result, and the answer."""

    def __init__(self, tool, casting, rng):
        values = [value(kind, casting, rng) for _, kind in tool.parameters]
        self.call = {"name": tool.name,
                     "arguments": {name: item for (name, _), item in zip(tool.parameters, values)}}
        self.asked = fill(rng.choice(tool.family.asks), values)
        kind = tool.family.result
        result = rng.choice(ANSWERS[kind]) if kind in ANSWERS else value(kind, casting, rng)
        self.key = str(result) if "[r]" in "".join(tool.family.answers) else None
        self.result = str(result) if rng.random() < 0.6 else json.dumps({"result": result})
        answers = [text for text in tool.family.answers if self.key is None or "[r]" in text]
        self.answer = fill(rng.choice(answers), values, result)


def call_text(call):
    return f"<tool_call>\n{json.dumps(call)}\n</tool_call>"
