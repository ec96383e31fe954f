# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Reference script: a tokenizer and recursive evaluator, edit distances, a record
# file parsed into nested structures and reported, closures, and string rewriting.
# Shares no routine with train.pl. Prints checksums only.
# Usage: perl reference.pl [scale]

my $scale = shift || 10;
my $seed = 987;

sub dice {
    my $sides = shift;
    $seed = ($seed * 16807) % 2147483647;
    return $seed % $sides;
}

# Arithmetic expressions: tokens by \G-anchored matches, then recursive descent.
sub evaluate {
    my $input = shift;
    my @tokens;
    while ($input =~ /\G\s*(?:(\d+)|([-+*()]))/gc) {
        push @tokens, defined $1 ? [number => $1] : [$2];
    }
    my ($sum, $product, $atom);
    $atom = sub {
        my $token = shift @tokens;
        return $token->[1] if $token->[0] eq 'number';
        my $value = $sum->();
        shift @tokens;
        return $value;
    };
    $product = sub {
        my $value = $atom->();
        while (@tokens && $tokens[0][0] eq '*') {
            shift @tokens;
            $value = $value * $atom->() % 10007;
        }
        return $value;
    };
    $sum = sub {
        my $value = $product->();
        while (@tokens && $tokens[0][0] =~ /^[-+]$/) {
            my $operator = shift(@tokens)->[0];
            my $right = $product->();
            $value = $operator eq '+' ? $value + $right : $value - $right;
        }
        return $value;
    };
    my $result = $sum->();
    undef $_ for $sum, $product, $atom;
    return $result;
}

sub expressions {
    my $total = 0;
    for (1 .. 60) {
        my $text = join ' + ', map { sprintf '(%d * %d - %d)', dice(50), dice(20), dice(90) } 1 .. 6;
        $total = ($total + evaluate($text)) % 1000003;
    }
    return $total;
}

sub distance {
    my @left = split //, shift;
    my @right = split //, shift;
    my @row = 0 .. @right;
    for my $i (1 .. @left) {
        my @next = ($i);
        for my $j (1 .. @right) {
            my $best = $row[$j - 1] + ($left[$i - 1] eq $right[$j - 1] ? 0 : 1);
            $best = $row[$j] + 1 if $row[$j] + 1 < $best;
            $best = $next[$j - 1] + 1 if $next[$j - 1] + 1 < $best;
            push @next, $best;
        }
        @row = @next;
    }
    return $row[-1];
}

sub distances {
    my @names = qw(graupel gravel gruel grapple hailstone sleet snowflake flurry);
    my $sum = 0;
    for my $a (@names) { $sum += distance($a, $_) for @names }
    return $sum;
}

# Lines "region;item;quantity;price" -> region -> item -> totals -> sorted report.
sub report {
    my %table;
    for (1 .. 700) {
        my $line = sprintf "%s;item%02d;%d;%d.%02d\n", (qw(north south east west))[dice(4)],
            dice(15), 1 + dice(9), dice(60), dice(100);
        chomp $line;
        my ($region, $item, $quantity, $price) = split /;/, $line;
        my $entry = $table{$region}{$item} ||= { quantity => 0, cents => 0 };
        $entry->{quantity} += $quantity;
        (my $cents = $price) =~ s/\.//;
        $entry->{cents} += $cents * $quantity;
    }
    my $out = '';
    for my $region (sort keys %table) {
        my $items = $table{$region};
        for my $item (sort { $items->{$b}{cents} <=> $items->{$a}{cents} || $a cmp $b } keys %$items) {
            $out .= sprintf "%-6s %-7s %4d %9.2f\n", $region, $item,
                $items->{$item}{quantity}, $items->{$item}{cents} / 100;
        }
    }
    return checksum($out);
}

sub checksum {
    my $hash = 5381;
    $hash = ($hash * 33 + ord) % 4294967296 for split //, shift;
    return $hash;
}

# A templating pass: nested placeholders resolved by repeated substitution.
sub template {
    my %value = (name => 'Graupel', kind => 'soft hail', place => '{{name}} field',
                 line => '{{kind}} over {{place}}', n => 0);
    my $page = '';
    for my $n (1 .. 80) {
        $value{n} = $n;
        my $text = "<$n> {{line}} [{{n}}] {{missing}}";
        1 while $text =~ s/\{\{(\w+)\}\}/exists $value{$1} ? $value{$1} : "?$1?"/e;
        $page .= reverse(ucfirst lc $text) . "\n";
    }
    return length($page) . ':' . ($page =~ tr/aeiou//);
}

sub memo {
    my %known;
    my $ways;
    $ways = sub {
        my ($amount, @coins) = @_;
        return 1 if $amount == 0;
        return 0 if $amount < 0 || !@coins;
        return $known{"$amount,$#coins"} //=
            $ways->($amount - $coins[0], @coins) + $ways->($amount, @coins[1 .. $#coins]);
    };
    my $count = $ways->(120 + dice(30), 50, 20, 10, 5, 2, 1);
    undef $ways;
    return $count;
}

for my $round (1 .. $scale) {
    print join("\t", $round, expressions(), distances(), report(), template(), memo()), "\n";
}
