"""Lists in one line, and numbers in a line that are no list."""

from tests.splitting.marked_text import check


def test_the_entries_of_a_list_in_one_line_are_spans():
    check(
        "1. I⟦Open the gate⟧ 2. I⟦Oil the hinge⟧ 3. I⟦Close it⟧", "1) I⟦Open the gate⟧ 2) I⟦Oil the hinge⟧",
        "(1) I⟦Open the gate⟧ (2) I⟦Oil the hinge⟧ (3) I⟦Close it⟧",
        "a) I⟦Open the gate⟧ b) I⟦Oil the hinge⟧ c) I⟦Close it⟧",
        "1. S⟦Open the gate.⟧ 2. S⟦Oil the hinge.⟧ 3. S⟦Close it.⟧ S⟦Wait.⟧", "1. S⟦Open it.⟧ 2. S⟦Close it.⟧",
        "> - 4. I⟦Open the gate⟧ 5. I⟦Oil the hinge⟧ 6. I⟦Close it⟧",
        "1．I⟦打开门⟧ 2．I⟦上油⟧ 3．I⟦关门⟧", "１．S⟦打开门。⟧２．S⟦关门。⟧",
        "1、S⟦打开门。⟧2、S⟦上油。⟧3、S⟦关门。⟧", "（1）S⟦打开门。⟧（2）S⟦上油。⟧（3）S⟦关门。⟧",
        "1. I⟦A⟧ 2. I⟦B⟧ 3. I⟦C⟧",
        "1. I⟦D⟧ 2. I⟦A⟧ 3. I⟦B⟧", "1. I⟦Yes⟧ 2. I⟦No⟧ 3. I⟦No⟧", "1. I⟦Oslo⟧ 2. I⟦A⟧ 3. I⟦Lima⟧ 4. I⟦Rome⟧",
        "(a) I⟦A⟧ (b) I⟦B⟧ (c) I⟦C⟧", "1. I⟦Turn on⟧ 2. I⟦Plug it in⟧ 3. I⟦Go to⟧",
        "1. I⟦Open the box⟧ 2. I⟦Choose a method⟧ 3. I⟦Enter your question⟧ 4. I⟦Wait⟧",
        "1. I⟦Opened in 1990⟧ 2. I⟦Sold in 2000⟧ 3. I⟦Closed in 2010⟧", "i. I⟦Open⟧ ii. I⟦Oil⟧ iii. I⟦Close⟧",
        "A) I⟦Oslo⟧ B) I⟦Lima⟧ C) I⟦Rome⟧", "A. I⟦90 %⟧ B. I⟦80 %⟧ C. I⟦70 %⟧",
        "I⟦**1.** Lids⟧ I⟦**2.** Bases⟧ I⟦**3.** Seals⟧",
        "1. I⟦Use Java (see 2. of the list)⟧ 2. I⟦Use C⟧ 3. I⟦Use Rust⟧".replace("(see 2. of the list)", "`a 1`"),
    )  # fmt: skip


def test_a_list_may_follow_a_sentence_or_a_label_in_its_line():
    check(
        "H⟦Steps:⟧ 1. I⟦Open it⟧ 2. I⟦Oil it⟧ 3. I⟦Close it⟧",
        "- H⟦**Schritte**:⟧ a) I⟦Öffnen⟧ b) I⟦Ölen⟧ c) I⟦Schließen⟧",
        "S⟦Sure!⟧ 1. I⟦Open it⟧ 2. I⟦Oil it⟧ 3. I⟦Close it⟧",
        "S⟦Which is it?⟧ A) I⟦Oslo⟧ B) I⟦Lima⟧ C) I⟦Rome⟧ D) I⟦A⟧", "S⟦好的！⟧1、I⟦打开⟧2、I⟦上油⟧3、I⟦关门⟧",
        "H⟦الخطوات:⟧ ١. I⟦افتح⟧ ٢. I⟦أغلق⟧ ٣. I⟦انتظر⟧",
    )  # fmt: skip


def test_numbers_within_a_sentence_are_no_list():
    check(
        "I⟦The three steps are 1. Lids 2. Bases 3. Seals⟧", "S⟦Steps: 1. Open it.⟧ S⟦2. Oil it.⟧ S⟦3. Close it.⟧",
        "S⟦They won 1.⟧ S⟦A year later they won 2.⟧ S⟦Then they won 3.⟧ S⟦It was over.⟧",
        "S⟦It is A.⟧ S⟦Not B.⟧ S⟦Not C.⟧ S⟦So it goes.⟧", "1. S⟦Use method 2.⟧ S⟦Then go to step 3.⟧ S⟦It is done.⟧",
        "1. S⟦It grew by a factor of 2.⟧ S⟦They left in phase 3.⟧ S⟦It was over.⟧",
        "1. S⟦Open gate (1) or (2) and (3) now.⟧", "(1) S⟦Open it.⟧ S⟦(2) Close it.⟧",
        "S⟦It has: 1. Lid 2. Base 3. Seal.⟧", "1. S⟦See the notes (in 2. and 3. of the book).⟧",
    )  # fmt: skip


def test_numbers_that_commas_join_are_one_sentence():
    check(
        "S⟦1. Red, 2. Blue, and 3. Green are colors.⟧ S⟦They are bright.⟧",
        "S⟦1. Red 2. Blue and 3. Green are colors.⟧", "S⟦1. Red and 2. Blue are colors.⟧",
        "I⟦1. Red; 2. Blue; 3. Green⟧", "- S⟦(1) Red, (2) Blue, and (3) Green are colors.⟧",
        "> S⟦1) Red, 2) Blue, and 3) Green are colors.⟧", "S⟦1.) Red, 2.) Blue, and 3.) Green are colors.⟧",
        "S⟦The colors are 1. Red, 2. Blue, and 3. Green.⟧ S⟦They are bright.⟧",
        "S⟦Es sind a. Rot, b. Blau und c. Grün.⟧", "S⟦They are I. Red, II. Blue, and III. Green.⟧",
        "S⟦**1. Red**, **2. Blue**, and **3. Green** are colors.⟧", "S⟦1．红，2．蓝和3．绿是颜色。⟧S⟦它们很亮。⟧",
        "1. S⟦Open gates 1 and 2.⟧ S⟦Then go.⟧", "S⟦It is in chapters 1, 2, and 3.⟧ S⟦Green is no part.⟧",
        "S⟦It is vitamin A, B, and C.⟧ S⟦They took vitamin B.⟧",
    )  # fmt: skip


def test_markers_of_other_scripts_stand_outside():
    check(
        "1．S⟦打开门。⟧\n2．S⟦关门。⟧", "１．I⟦打开门⟧", "1、S⟦打开门。⟧", "（1）S⟦打开门。⟧",
        "1）S⟦打开门。⟧", "١. I⟦باب⟧", "一、I⟦打开门⟧\n二、I⟦关门⟧",
        "가. S⟦문이 열렸다.⟧\n나. S⟦들어오세요.⟧", "א. I⟦דלת⟧\nב. I⟦חלון⟧", "α) I⟦πόρτα⟧\nβ) I⟦παράθυρο⟧",
        "А. I⟦дверь⟧\nБ. I⟦окно⟧", "ア．I⟦門⟧\nイ．I⟦窓⟧", "أ. I⟦باب⟧\nب. I⟦نافذة⟧",
    )  # fmt: skip


def test_a_number_in_a_sentence_or_alone_is_no_marker():
    check("S⟦3、4个人来了。⟧", "S⟦3．5是一个数。⟧", "S⟦一．打开门。⟧", "S⟦가. 문이 열렸다.⟧")


def test_a_superscript_in_brackets_is_text():
    check("1) I⟦m ²) s 3) k⟧", "1) S⟦It is.⟧ S⟦²) It was.⟧")
